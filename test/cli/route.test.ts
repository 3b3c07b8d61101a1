import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TlsOptions } from 'node:tls'
import { parse, stringify } from 'yaml'
import { exitCodes } from '../../src/report/exit-code.js'
import { anAuthority } from '../support/certificate.js'
import { connectProxy, freePort, httpDouble, json } from '../support/http-double.js'
import { landform } from '../support/landform.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const quickstart = 'examples/quickstart.yaml'
const site = 'https://gis.example.org/arcgis/admin'
const readingCommand = ['status', quickstart, '--url', site]

describe('a proxy in the environment', () => {
  test('that cannot be reached: 69, without its password', async () => {
    const port = await freePort()
    const environment = { ...someSecrets, HTTPS_PROXY: `http://me:S3cret@127.0.0.1:${port}` }
    const { exitCode, out, err } = await landform(readingCommand, { environment })
    expect(exitCode).toBe(exitCodes.unreachable)
    const proxy = `127.0.0.1:${port} (HTTPS_PROXY)`
    expect(err).toContain(`could not connect to the proxy ${proxy} (ECONNREFUSED)\n`)
    expect(err).toContain('next: check the proxy in HTTPS_PROXY, or list gis.example.org in NO_PROXY')
    expect(out + err).not.toContain('S3cret')
  })

  test('that requires authentication: 77, without its password', async () => {
    const proxy = await connectProxy({ text: 'HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n' })
    const environment = { ...someSecrets, HTTPS_PROXY: `http://me:S3cret@127.0.0.1:${proxy.port}` }
    const { exitCode, out, err } = await landform(readingCommand, { environment })
    expect({ exitCode, connections: proxy.received.length }).toEqual({ exitCode: 77, connections: 1 })
    expect(err).toContain(`the proxy 127.0.0.1:${proxy.port} (HTTPS_PROXY) requires authentication`)
    expect(out + err).not.toContain('S3cret')
  })

  test('that has an unsupported scheme: 78, without its password', async () => {
    const environment = { ...someSecrets, ALL_PROXY: 'socks5://me:S3cret@127.0.0.1:1' }
    const { exitCode, out, err } = await landform(readingCommand, { environment })
    expect(exitCode).toBe(exitCodes.refused)
    expect(err).toContain('the proxy in ALL_PROXY cannot be used: it names a socks5 proxy')
    expect(out + err).not.toContain('S3cret')
  })

  test('whose password has an unescaped #: 78, without a part of it', async () => {
    const environment = { ...someSecrets, HTTPS_PROXY: 'http://S3:ret1#S3cret@127.0.0.1:1' }
    const { exitCode, out, err } = await landform([...readingCommand, '-v'], { environment })
    expect(exitCode).toBe(exitCodes.refused)
    expect(err).toContain('the proxy in HTTPS_PROXY cannot be used: it has a path, a query or a fragment')
    expect(err).toContain('write # as %23')
    expect(out + err).not.toMatch(/S3|ret1/)
  })
})

test('a link-local address, where clouds keep credentials: 78', async () => {
  const looking = ['status', quickstart, '--url', 'https://169.254.169.254/admin']
  const { exitCode, err } = await landform(looking, { environment: someSecrets })
  expect(exitCode).toBe(exitCodes.refused)
  expect(err).toContain('has an address that Landform does not connect to')
})

describe('an environment that may leak secrets', () => {
  const nobody = ['status', quickstart, '--url', 'https://169.254.0.1/admin']

  test.each([
    [{ SSLKEYLOGFILE: '/keys' }, 'SSLKEYLOGFILE'],
    [{ NODE_DEBUG: 'http' }, 'NODE_DEBUG'],
    [{ NODE_OPTIONS: '--max-old-space-size=99 --inspect=0' }, 'NODE_OPTIONS'],
    [{ NODE_OPTIONS: '--report-on-signal' }, 'NODE_OPTIONS'],
    [{ NODE_OPTIONS: '--tls-keylog=/keys' }, 'NODE_OPTIONS'],
  ])('causes one warning: %j', async (environment, variable) => {
    const { err } = await landform(nobody, { environment: { ...someSecrets, ...environment } })
    expect(err.split(`warning: ${variable} is set`).length - 1).toBe(1)
    expect(err).not.toContain('/keys')
  })

  test.each<[readonly string[], Readonly<Record<string, string>>]>([
    [nobody, { NODE_OPTIONS: '--max-old-space-size=99', NODE_DEBUG: '' }],
    [['validate', quickstart], { NODE_DEBUG: 'http' }],
    [['plan', '--emulate', quickstart], { NODE_DEBUG: 'http' }],
  ])('causes no warning: %j with %j', async (args, environment) => {
    const { err } = await landform(args, { environment: { ...someSecrets, ...environment } })
    expect(err).not.toContain('is set as it is')
  })
})

describe('TLS settings of a manifest', () => {
  const authority = anAuthority('An authority of our own')
  const client = authority.issue('landform')
  const root = { fullVersion: '11.2.0', resources: ['orgs'], currentVersion: 11.2, status: {} }

  async function aSite(options: TlsOptions = {}) {
    const server = await httpDouble([{ reply: json(root) }], { ...authority.issue('localhost'), ...options })
    return { ...server, url: `https://localhost:${server.port}/admin` }
  }

  /** Polls a site with a manifest that has these TLS settings, next to these files. */
  async function look(url: string, tls: unknown, environment: Readonly<Record<string, string>> = {}) {
    const folder = await temporaryFolder()
    const manifest = parse(readFileSync(quickstart, 'utf8'))
    manifest.spec.site = { ...manifest.spec.site, url, tls }
    mkdirSync(join(folder, 'tls'))
    writeFileSync(join(folder, 'site.yaml'), stringify(manifest))
    writeFileSync(join(folder, 'tls/authority.pem'), authority.cert)
    writeFileSync(join(folder, 'tls/client.pem'), client.cert)
    const args = ['status', '-v', join(folder, 'site.yaml')]
    return landform(args, { environment: { ...someSecrets, ...environment }, folder })
  }

  const caFile = 'tls/authority.pem'
  const shown = { certificate: 'tls/client.pem', privateKey: { env: 'LANDFORM_TLS_KEY' } }

  test('trust a CA of the manifest, and the output says so', async () => {
    const { exitCode, err } = await look((await aSite()).url, { caFile })
    expect(err).toMatch(
      /^requests go to https:\/\/localhost:\d+, directly, trusting tls\/authority.pem too\n/,
    )
    expect(exitCode).toBe(exitCodes.done)
  })

  test('send a client certificate to a site that requires one', async () => {
    const site = await aSite({ requestCert: true, rejectUnauthorized: true, ca: authority.cert })
    const environment = { LANDFORM_TLS_KEY: client.key }
    const { exitCode, out, err } = await look(site.url, { caFile, client: shown }, environment)
    expect(exitCode).toBe(exitCodes.done)
    expect(err).toContain('showing tls/client.pem')
    expect(out + err).not.toContain(client.key.slice(40, 60))
    expect((await look(site.url, { caFile })).exitCode).not.toBe(exitCodes.done)
  })

  test('fail without the key of the client certificate: 66, at its position, and nothing was sent', async () => {
    const site = await aSite()
    const { exitCode, err } = await look(site.url, { caFile, client: shown })
    expect(exitCode).toBe(exitCodes.missing)
    expect(err).toMatch(/secret\/missing|LANDFORM_TLS_KEY/)
    expect(err).toMatch(/site\.yaml:\d+:\d+/)
    expect(site.received).toEqual([])
  })

  test('are checked before the site is called: a certificate needs its key', async () => {
    const tls = { client: { certificate: 'tls/client.pem' } }
    const { exitCode, err } = await look('https://localhost:1/admin', tls)
    expect([exitCode, err]).toEqual([exitCodes.invalid, expect.stringContaining('privateKey')])
  })
})
