import type { LookupFunction } from 'node:net'
import { createSecureContext } from 'node:tls'
import { send } from '../../src/client/connection.js'
import { selectProxy } from '../../src/client/proxy.js'
import { isForbidden, type Route } from '../../src/client/route.js'
import { signIn } from '../../src/client/sign-in.js'
import { Secret } from '../../src/secrets/secret.js'
import { anAuthority, type Certificate } from '../support/certificate.js'
import { connectProxy, freePort, http, httpDouble, json } from '../support/http-double.js'

const host = 'gis.example.org'
const authority = anAuthority('An authority of our own')
const trust = createSecureContext({ minVersion: 'TLSv1.2', ca: authority.cert })

/** A resolver that always returns these addresses. */
const resolving =
  (...addresses: readonly string[]): LookupFunction =>
  (_hostname, options, done) => {
    const found = addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
    if (options.all) done(null, found)
    else done(null, found[0]?.address ?? '', found[0]?.family)
  }

const toLoopback = resolving('127.0.0.1')

function post(url: string, route: Route) {
  return send({
    method: 'POST',
    url,
    path: '/configure',
    body: { contentType: 'text/plain', bytes: Buffer.from('the-whole-body') },
    deadlineMs: 5_000,
    signal: new AbortController().signal,
    route,
  })
}

function aSite(certificate: Certificate = authority.issue(host)) {
  return httpDouble([{ reply: json({}) }], certificate)
}

function through(port: number, credentials = ''): Route {
  const choice = selectProxy(`https://${host}`, { HTTPS_PROXY: `http://${credentials}127.0.0.1:${port}` })
  if (choice.kind !== 'proxy') throw new Error(choice.kind)
  return { proxy: choice.proxy, trust, lookup: toLoopback }
}

describe('through a proxy', () => {
  test('the site receives the request, and the proxy only its destination', async () => {
    const site = await aSite()
    const proxy = await connectProxy({ toPort: site.port })
    expect(await post(`https://${host}/admin`, through(proxy.port))).toMatchObject({ ok: true })
    expect(site.received.length).toBe(1)
    expect(site.received[0]).toMatch(/^POST \/admin\/configure HTTP\/1.1\r\n/)
    const [head = ''] = proxy.received[0]?.split('\r\n\r\n') ?? []
    expect(head.toLowerCase()).toContain(`connect ${host}:443 http/1.1\r\nhost: ${host}:443`)
    expect(head.toLowerCase()).not.toContain('proxy-authorization')
    expect(proxy.received.join('')).not.toMatch(/POST|configure|the-whole-body/)
  })

  test("the proxy's password is sent to the proxy and not to the site", async () => {
    const site = await aSite()
    const proxy = await connectProxy({ toPort: site.port })
    const reply = await post(`https://${host}:8443/admin`, through(proxy.port, 'me:p%40ss@'))
    expect(reply).toMatchObject({ ok: true })
    const basic = Buffer.from('me:p@ss').toString('base64')
    expect(proxy.received[0]).toContain(`CONNECT ${host}:8443 HTTP/1.1`)
    expect(proxy.received[0]?.toLowerCase()).toContain(`proxy-authorization: basic ${basic.toLowerCase()}`)
    expect(site.received.join('').toLowerCase()).not.toContain('proxy-')
  })

  test('an account signs in through the proxy as well', async () => {
    const site = await httpDouble([{ reply: json({ token: 'abc' }) }], authority.issue(host))
    const proxy = await connectProxy({ toPort: site.port })
    const account = {
      username: 'siteadmin',
      password: { env: 'LANDFORM_ADMIN_PASSWORD' },
      pointer: '/spec/administrator/password',
      lifetimeMs: 60_000,
    } as const
    const way = { url: `https://${host}/arcgis/admin`, route: through(proxy.port) }
    const reply = await signIn(way, account, new Secret(Buffer.from('the-password')))
    expect(reply).toMatchObject({ ok: true })
    expect(site.received[0]).toMatch(/^POST \/arcgis\/sharing\/rest\/generateToken HTTP\/1.1\r\n/)
    expect(proxy.received.join('')).not.toMatch(/POST|the-password/)
  })

  test.each<[string, string, object]>([
    ['407', 'HTTP/1.1 407 No\r\ncontent-length: 2\r\n\r\nno', { cause: 'proxy-sign-in', reason: 'HTTP_407' }],
    ['403', 'HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n', { cause: 'proxy', reason: 'HTTP_403' }],
    ['302', 'HTTP/1.1 302 Away\r\nlocation: http://x\r\n\r\n', { cause: 'proxy', reason: 'HTTP_302' }],
    [
      '200 with a page',
      'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 20\r\n\r\n<html>sign in</html>',
      { cause: 'proxy', reason: 'HTTP_200', proxy: { variable: 'HTTPS_PROXY' } },
    ],
    [
      '403 with a page',
      'HTTP/1.1 403 No\r\ncontent-type: text/html\r\ncontent-length: 15\r\n\r\n<html>no</html>',
      { cause: 'proxy', reason: 'HTTP_403', proxy: { variable: 'HTTPS_PROXY' } },
    ],
    ['nothing', '', { cause: 'proxy' }],
    ['without HTTP', 'SSH-2.0-x\r\n', { cause: 'proxy' }],
  ])('that answers %s nothing is sent', async (_what, text, failure) => {
    const site = await aSite()
    const proxy = await connectProxy({ text })
    expect(await post(`https://${host}/admin`, through(proxy.port, 'me:S3cret@'))).toMatchObject({
      ok: false,
      error: { kind: 'not-sent', ...failure },
    })
    expect(site.received).toEqual([])
    expect(proxy.received.length).toBe(1)
  })

  test('that is unreachable nothing is sent, and no password is in the reason', async () => {
    const port = await freePort()
    const reply = await post(`https://${host}/admin`, through(port, 'me:S3cret@'))
    const proxy = { host: `127.0.0.1:${port}`, variable: 'HTTPS_PROXY' }
    expect(reply).toEqual({
      ok: false,
      error: { kind: 'not-sent', cause: 'proxy', reason: 'ECONNREFUSED', proxy },
    })
  })

  test('whose own certificate is not trusted neither its password nor the host of the site is sent', async () => {
    const proxy = await httpDouble([{ on: 'bytes', reply: http(407, '') }], authority.issue('localhost'))
    const environment = { HTTPS_PROXY: `https://me:S3cret@localhost:${proxy.port}` }
    const choice = selectProxy(`https://${host}`, environment)
    if (choice.kind !== 'proxy') throw new Error(choice.kind)
    // The CAs of a site do not apply to a proxy.
    const reply = await post(`https://${host}/admin`, { proxy: choice.proxy, trust, lookup: toLoopback })
    expect(reply).toMatchObject({
      ok: false,
      error: { kind: 'not-sent', cause: 'proxy', reason: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
    })
    expect(proxy.received.join('')).toBe('')
  })

  test('that closes the connection nothing is sent', async () => {
    const proxy = await connectProxy({ toPort: await freePort() })
    expect(await post(`https://${host}/admin`, through(proxy.port))).toMatchObject({
      error: { kind: 'not-sent' },
    })
  })

  test('that answers as a site for which it has no certificate nothing is sent', async () => {
    const site = await aSite(authority.issue('proxy.example.org'))
    const proxy = await connectProxy({ toPort: site.port })
    expect(await post(`https://${host}/admin`, through(proxy.port))).toMatchObject({
      error: { kind: 'not-sent', cause: 'tls', reason: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    })
    expect(site.received.join('')).toBe('')
  })

  test('that never answers the deadline ends the attempt, and nothing is sent', async () => {
    const proxy = await httpDouble([])
    const route = through(proxy.port)
    const request = { method: 'POST', url: `https://${host}`, path: '/', deadlineMs: 80, route } as const
    expect(await send({ ...request, signal: new AbortController().signal })).toMatchObject({
      error: { kind: 'not-sent', cause: 'connection', reason: 'TIMEOUT' },
    })
  }, 4_000)
})

/** A chain in which the certificate of a site, issued by the CA, has signed another one. */
function signedByASite() {
  const site = authority.issue('www.example.org', { names: ['www.example.org'] })
  const { cert, key } = site.issue(host, { names: [host] })
  return { cert: cert + site.cert, key }
}

describe('the certificate of a site', () => {
  test('is accepted if its CA is in the manifest', async () => {
    const site = await aSite()
    const url = `https://${host}:${site.port}/admin`
    expect(await post(url, { trust, lookup: toLoopback })).toMatchObject({ ok: true })
  })

  test.each([
    ['no CA is in the manifest', authority.issue(host), undefined, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['another CA signed it', anAuthority('Another').issue(host), trust, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['it is for another host', authority.issue('www.example.org'), trust, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['it has expired', authority.issue(host, { until: '210101000000Z' }), trust, 'CERT_HAS_EXPIRED'],
    ['it is self-signed', anAuthority(host), trust, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['the certificate of a site signed it', signedByASite(), trust, 'INVALID_PURPOSE'],
  ])('is rejected if %s, and nothing is sent', async (_what, certificate, believed, reason) => {
    const site = await aSite(certificate)
    const route = { ...(believed && { trust: believed }), lookup: toLoopback }
    expect(await post(`https://${host}:${site.port}/admin`, route)).toMatchObject({
      ok: false,
      error: { kind: 'not-sent', cause: 'tls', reason },
    })
    expect(site.received.join('')).toBe('')
  })

  test('is rejected if the site uses an old version of TLS', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    const site = await httpDouble([], { ...authority.issue(host), ...old })
    const route = { trust, lookup: toLoopback }
    expect(await post(`https://${host}:${site.port}/admin`, route)).toMatchObject({
      error: { kind: 'not-sent', cause: 'tls' },
    })
    expect(site.received.join('')).toBe('')
  })
})

describe('an address that no site can have', () => {
  const refused = {
    ok: false,
    error: { kind: 'not-sent', cause: 'address', reason: 'ADDRESS_REFUSED' },
  }

  test.each([
    ['169.254.169.254'],
    ['169.254.0.1'],
    ['fe80::1'],
    ['febf::1'],
    ['fd00:ec2::254'],
    ['::ffff:169.254.169.254'],
    ['127.0.0.1', '169.254.169.254'],
  ])('is not connected to if a name leads to %s', async (...addresses) => {
    const site = await aSite()
    const route = { trust, lookup: resolving(...addresses) }
    expect(await post(`https://${host}:${site.port}/admin`, route)).toEqual(refused)
    expect(site.received).toEqual([])
  })

  test.each([
    'https://169.254.169.254/admin',
    'https://0xa9fea9fe/admin',
    'https://[fe80::1]/admin',
    'https://[fd00:ec2::254]/admin',
    'https://[::ffff:169.254.169.254]/admin',
  ])('is not connected to: %s', async url => {
    expect(await post(url, {})).toEqual(refused)
    const proxy = await connectProxy({ text: 'HTTP/1.1 403 No\r\n\r\n' })
    expect(await post(url, through(proxy.port))).toEqual(refused)
    expect(proxy.received).toEqual([])
  })

  test.each(['169.253.255.255', '169.255.0.1', 'fec0::1', 'fd00:ec2::253', '10.0.0.1', 'fe80.example.org'])(
    'is not a neighbouring one: %s',
    address => {
      expect(isForbidden(address)).toBe(false)
    },
  )
})
