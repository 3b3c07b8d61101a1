import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { azureLocation } from '../../support/azure-place.js'
import { type AzureServer, azureServer } from '../../support/azure-server.js'
import { eachDeclaredSite } from '../../support/declared-site.js'
import { someSecrets } from '../../support/some-secrets.js'

let server: AzureServer
const { at, manifest, declare, run } = eachDeclaredSite(() => server.environment)
beforeEach(async () => {
  server = await azureServer()
  declare(azureLocation(server))
})

test('a site with state in a container is applied once, and stores no secret there', async () => {
  const applied = await run(['apply', manifest(), '--yes'])
  expect([applied.exitCode, applied.err]).toEqual([0, expect.any(String)])
  expect(readdirSync(at.folder).sort()).toEqual(['licenses', 'site.yaml'])
  const before = server.requests.length
  for (const command of ['plan', 'drift']) expect((await run([command, manifest()])).exitCode).toBe(0)
  // A read-only role is enough for these.
  expect(server.requests.slice(before).filter(line => line.startsWith('PUT'))).toEqual([])
  const shown = await run(['state', 'show', manifest()])
  expect([shown.exitCode, shown.out]).toEqual([0, expect.stringContaining(azureLocation(server))])
  const kept = [...server.blobs.values()].map(({ text }) => text).join('')
  const secrets = [
    ...Object.values(someSecrets),
    server.environment['AZURE_CLIENT_SECRET'] ?? '',
    server.token,
  ]
  const seen = kept + applied.out + applied.err + shown.out + shown.err
  expect(secrets.filter(secret => secret.length > 3 && seen.includes(secret))).toEqual([])
})

test('without a token nothing is sent to the site, and every token source is named', async () => {
  const { exitCode, err } = await run(['apply', manifest(), '--yes'], { AZURE_CLIENT_SECRET: 'wrong' })
  expect([exitCode, err]).toEqual([74, expect.stringContaining('nothing was sent')])
  const words = err.replaceAll(/\s+/g, ' ')
  expect(words).toContain('a client secret (invalid_client AADSTS7000215)')
  expect(words).toContain('workload identity (not set: AZURE_FEDERATED_TOKEN_FILE)')
})

test('a signature in a manifest is rejected, and not repeated', async () => {
  declare(`${azureLocation(server)}&sv=2022&sig=canary`)
  for (const command of ['plan', 'validate']) {
    const { exitCode, out, err } = await run([command, manifest()])
    expect([exitCode, server.requests, (out + err).includes('canary')]).toEqual([65, [], false])
  }
})

describe('an endpoint outside Azure in a manifest or a pointer', () => {
  /** Programs that would print a token, and record that they were run. */
  const anAz = () => {
    const asked = join(at.folder, 'asked')
    mkdirSync(join(at.folder, 'bin'))
    writeFileSync(join(at.folder, 'bin', 'az'), `#!/bin/sh\ntouch ${asked}\n`, { mode: 0o700 })
    const environment = {
      AZURE_STORAGE_SERVICE_ENDPOINT: '',
      AZURE_CLIENT_SECRET: '',
      AZURE_POD_IDENTITY_AUTHORITY_HOST: server.url,
      PATH: join(at.folder, 'bin'),
    }
    return { environment, wasAsked: () => existsSync(asked) }
  }

  test.each([['plan'], ['state', 'show']])(
    'receives nothing, and no token is requested, unless the environment names it: %s %s',
    async (...args) => {
      const { environment, wasAsked } = anAz()
      const { exitCode, err } = await run([...args, manifest()], environment)
      expect([exitCode, server.requests, wasAsked()]).toEqual([78, [], false])
      expect(err).toContain(`its endpoint ${server.url} is not allowed`)
      expect(err).toContain(`export AZURE_STORAGE_SERVICE_ENDPOINT=${server.url}`)
    },
  )

  test.each<[string, (url: string) => Readonly<Record<string, string>>, number]>([
    ['with a path', url => ({ AZURE_STORAGE_SERVICE_ENDPOINT: `${url}/devstoreaccount1` }), 0],
    ['that only begins like it', url => ({ AZURE_STORAGE_SERVICE_ENDPOINT: `${url}.a.example` }), 78],
    ['in another variable', url => ({ AZURE_STORAGE_SERVICE_ENDPOINT: '', AWS_ENDPOINT_URL_S3: url }), 78],
  ])('is allowed only by the environment: %s', async (_what, changes, exitCode) => {
    const ended = await run(['state', 'show', manifest()], changes(server.url))
    expect([ended.exitCode, server.requests.length > 0]).toEqual([exitCode, exitCode === 0])
  })

  test('is also allowed by --state', async () => {
    const given = ['state', 'show', manifest(), '--state', azureLocation(server)]
    expect((await run(given, { AZURE_STORAGE_SERVICE_ENDPOINT: '' })).exitCode).toBe(0)
  })

  test('receives nothing from a run that follows a pointer', async () => {
    const [here, there] = [`file:${join(at.folder, 'state')}`, azureLocation(server)]
    const without = { AZURE_STORAGE_SERVICE_ENDPOINT: '' }
    declare(here)
    expect((await run(['apply', manifest(), '--yes'])).exitCode).toBe(0)
    expect((await run(['state', 'move', here, there, manifest()], without)).exitCode).toBe(0)
    const before = server.requests.length
    const { exitCode, err } = await run(['apply', manifest(), '--yes'], without)
    expect([exitCode, err]).toEqual([
      78,
      expect.stringContaining(`its endpoint ${server.url} is not allowed`),
    ])
    expect(server.requests).toHaveLength(before)
  })
})
