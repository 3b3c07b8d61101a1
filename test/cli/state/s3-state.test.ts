import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSite } from '../../../src/library/open-site.js'
import { eachDeclaredSite } from '../../support/declared-site.js'
import { connectProxy } from '../../support/http-double.js'
import { s3Location } from '../../support/s3-place.js'
import { type S3Server, s3Server } from '../../support/s3-server.js'
import { someSecrets } from '../../support/some-secrets.js'

let server: S3Server
const { at, manifest, declare, run } = eachDeclaredSite(() => server.environment)
beforeEach(async () => {
  server = await s3Server()
  declare(s3Location(server))
})

test('a site with state in object storage is applied once, and stores no secret there', async () => {
  const applied = await run(['apply', manifest(), '--yes'])
  expect([applied.exitCode, applied.err]).toEqual([0, expect.any(String)])
  expect(readdirSync(at.folder).sort()).toEqual(['licenses', 'site.yaml'])
  expect((await run(['plan', manifest()])).exitCode).toBe(0)
  const shown = await run(['state', 'show', manifest()])
  expect([shown.exitCode, shown.out]).toEqual([0, expect.stringContaining(s3Location(server))])
  const kept = [...server.objects.values()].map(({ text }) => text).join('')
  const secrets = [...Object.values(someSecrets), server.environment['AWS_SECRET_ACCESS_KEY'] ?? '']
  const seen = kept + applied.out + applied.err + shown.out + shown.err
  expect(secrets.filter(secret => secret.length > 3 && seen.includes(secret))).toEqual([])
})

test('a proxy that requires a password is tried once for each read, and its variable is named', async () => {
  const text = 'HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n'
  const proxy = await connectProxy({ text })
  declare('s3:bucket/sites')
  const changes = { AWS_REGION: 'eu-test-1', https_proxy: `http://127.0.0.1:${proxy.port}` }
  const { exitCode, err } = await run(['state', 'show', manifest()], changes)
  const words = `server cannot be reached (HTTP_407, proxy 127.0.0.1:${proxy.port} in https_proxy)`
  expect([exitCode, err.replaceAll(/\s+/g, ' ')]).toEqual([74, expect.stringContaining(words)])
  // The chains of versions of the address, of the name and of the manifest.
  expect(proxy.received).toHaveLength(3)
})

test('for a proxy without an address, the message names its variable', async () => {
  declare('s3:bucket/sites')
  const changes = { AWS_REGION: 'eu-test-1', https_proxy: 'socks://127.0.0.1:1' }
  const { exitCode, err } = await run(['state', 'show', manifest()], changes)
  expect([exitCode, err]).toEqual([74, expect.stringContaining('(https_proxy)')])
})

test('with expired credentials nothing is sent to the site', async () => {
  const changes = { AWS_SESSION_TOKEN: 'former' }
  const words = 'have expired: get new ones (ExpiredToken)'
  const { exitCode, err } = await run(['apply', manifest(), '--yes'], changes)
  expect([exitCode, err]).toEqual([74, expect.stringContaining(words)])
  expect(err).toContain(s3Location(server))
  expect(err).toContain('nothing was sent')
})

describe('an endpoint in a manifest or a pointer', () => {
  const withoutEndpoint = { AWS_ENDPOINT_URL_S3: '' }
  /** A program that would print credentials, and records that it was run. */
  const aProfile = () => {
    const [home, asked] = [join(at.folder, 'home'), join(at.folder, 'asked')]
    mkdirSync(join(home, '.aws'), { recursive: true })
    writeFileSync(join(home, '.aws', 'config'), '[default]\nregion = eu-test-1\ncredential_process = x\n')
    writeFileSync(join(home, 'aws'), `#!/bin/sh\ntouch ${asked}\n`, { mode: 0o700 })
    const environment = { ...withoutEndpoint, AWS_ACCESS_KEY_ID: '', HOME: home, PATH: home }
    return { environment, wasAsked: () => existsSync(asked) }
  }

  test.each([
    ['plan', '{}'],
    ['state', 'show', '{}'],
  ])('receives nothing from %s %s unless the environment names it', async (...args) => {
    const { environment, wasAsked } = aProfile()
    const { exitCode, err } = await run(
      args.map(arg => (arg === '{}' ? manifest() : arg)),
      environment,
    )
    expect([exitCode, server.requests, wasAsked()]).toEqual([78, [], false])
    expect(err).toContain(`its endpoint ${server.url} is not allowed`)
    expect(err).toContain(`export AWS_ENDPOINT_URL_S3=${server.url}`)
  })

  test.each<[string, (url: string) => Readonly<Record<string, string>>, number]>([
    ['AWS_ENDPOINT_URL_S3', url => ({ AWS_ENDPOINT_URL_S3: url }), 0],
    ['it with a slash', url => ({ AWS_ENDPOINT_URL_S3: `${url}/` }), 0],
    ['AWS_ENDPOINT_URL', url => ({ ...withoutEndpoint, AWS_ENDPOINT_URL: url }), 0],
    [
      'another one, which takes precedence',
      url => ({ AWS_ENDPOINT_URL_S3: 'https://a.example', AWS_ENDPOINT_URL: url }),
      78,
    ],
    ['a name that only begins like it', url => ({ AWS_ENDPOINT_URL_S3: `${url}.a.example` }), 78],
    ['the allowed origins of sites', url => ({ ...withoutEndpoint, LANDFORM_ALLOWED_ORIGINS: url }), 78],
  ])('is allowed only by the environment: %s', async (_what, changes, exitCode) => {
    const ended = await run(['state', 'show', manifest()], changes(server.url))
    expect([ended.exitCode, server.requests.length > 0]).toEqual([exitCode, exitCode === 0])
  })

  test('is also allowed by a profile and by --state', async () => {
    const { environment } = aProfile()
    const config = `[default]\nendpoint_url = ${server.url}\n`
    writeFileSync(join(at.folder, 'home', '.aws', 'config'), config)
    const keys = { AWS_ACCESS_KEY_ID: server.environment['AWS_ACCESS_KEY_ID'] ?? '' }
    expect((await run(['state', 'show', manifest()], { ...environment, ...keys })).exitCode).toBe(0)
    const given = ['state', 'show', manifest(), '--state', s3Location(server)]
    expect((await run(given, withoutEndpoint)).exitCode).toBe(0)
  })

  test('receives nothing from a run that follows a pointer', async () => {
    const [here, there] = [`file:${join(at.folder, 'state')}`, s3Location(server)]
    declare(here)
    expect((await run(['apply', manifest(), '--yes'])).exitCode).toBe(0)
    expect((await run(['state', 'move', here, there, manifest()], withoutEndpoint)).exitCode).toBe(0)
    const before = server.requests.length
    const { exitCode, err } = await run(['apply', manifest(), '--yes'], withoutEndpoint)
    expect([exitCode, err]).toEqual([
      78,
      expect.stringContaining(`its endpoint ${server.url} is not allowed`),
    ])
    expect(server.requests).toHaveLength(before)
  })

  test('receives nothing from a program that opens the site', async () => {
    const environment = { ...server.environment, AWS_ENDPOINT_URL_S3: '' }
    expect(await openSite({ file: manifest(), environment })).toMatchObject({
      ok: false,
      error: { kind: 'state-location', because: 'not-allowed', reason: { endpoint: server.url } },
    })
    expect((await openSite({ file: manifest(), environment: server.environment })).ok).toBe(true)
  })
})
