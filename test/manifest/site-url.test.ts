import fc from 'fast-check'
import { findNamesakes, type SiteIdentity } from '../../src/cli/check/shared-sites.js'
import {
  findSiteUrlProblem,
  hasCapitals,
  isLoopback,
  isPlainSiteUrl,
  normalizeSiteUrl,
  suggestBaseUrl,
} from '../../src/manifest/site-url.js'
import { cases } from '../support/cases.js'

describe('the address of a site', () => {
  test.each([
    'https://gis.example.org',
    'https://gis.example.org/',
    'https://gis.example.org/admin',
    'https://gis.example.org:6443/deep/er/admin/',
    'https://gis.example.org:443/admin',
    'https://GIS.example.org/Admin',
    'https://192.0.2.7/admin',
    'https://[2001:db8::7]/admin',
    'https://xn--mnchen-3ya.example.org/admin',
    'http://localhost:8080/admin',
    'http://127.0.0.1:8080/admin',
    'http://[::1]:8080/admin',
  ])('may be %s', url => {
    expect(findSiteUrlProblem(url)).toBeUndefined()
  })

  test.each([
    '',
    'gis.example.org/admin',
    '//gis.example.org/admin',
    'https://',
    'https:// gis.example.org',
    'http://gis.example.org/admin',
    'ftp://gis.example.org/admin',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://gis.example.org/admin?f=json',
    'https://gis.example.org/admin?',
    'https://gis.example.org/admin#top',
    'https://gis.example.org/admin#',
    'https://gis.example.org/admin;x=1',
    'https://gis.example.org/admin,x',
    'https://gis.example.org/arcgis;v=1/admin',
    'https://gis.example.org/;/admin',
  ])('cannot be %j', url => {
    expect(findSiteUrlProblem(url)).toEqual(expect.any(String))
  })

  // A person reads each of these as one host, but some parser as another.
  test.each([
    ['user info', 'https://gis.example.org@evil.example/admin'],
    ['user info with a password', 'https://gis.example.org:443@evil.example/admin'],
    ['user info without a name', 'https://@evil.example/admin'],
    ['user info with escapes', 'https://gis.example.org%40evil.example/admin'],
    ['a backslash before user info', 'https://gis.example.org\\@evil.example/admin'],
    ['backslashes instead of slashes', 'https:\\\\gis.example.org\\admin'],
    ['a backslash in the path', 'https://gis.example.org/admin\\..\\other'],
    ['no slashes', 'https:gis.example.org/admin'],
    ['one slash', 'https:/gis.example.org/admin'],
    ['three slashes', 'https:///gis.example.org/admin'],
    ['a tab', 'https://gis.exa\tmple.org/admin'],
    ['a line break', 'https://gis.example.org\n.evil.example/admin'],
    ['a space at the end', 'https://gis.example.org/admin '],
    ['a zero-width space', 'https://gis.exa\u200Bmple.org/admin'],
    ['a soft hyphen', 'https://gis.exa\u00ADmple.org/admin'],
    ['a right-to-left override', 'https://gis.example.org/\u202Enimda'],
    ['a letter of another alphabet', 'https://g\u0456s.example.org/admin'],
    ['full-width letters', 'https://\uFF47is.example.org/admin'],
    ['an ideographic full stop', 'https://gis.example.org\u3002evil.example/admin'],
    ['a lookalike of a slash', 'https://gis.example.org\u2215evil.example/admin'],
    ['an IP address as one number', 'https://3221225991/admin'],
    ['an IP address in hexadecimal', 'https://0xc0000207/admin'],
    ['an IP address in octal', 'https://0300.0.02.07/admin'],
    ['a short IP address', 'https://192.519/admin'],
    ['a loopback in hexadecimal', 'http://0x7f.1/admin'],
    ['a loopback as one number', 'http://2130706433/admin'],
    ['a loopback inside IPv6', 'http://[::ffff:127.0.0.1]/admin'],
    ['no address', 'http://0.0.0.0/admin'],
    ['a host that begins like a loopback', 'http://127.0.0.1.evil.example/admin'],
    ['a host that begins like localhost', 'http://localhost.evil.example/admin'],
    ['a dot after the host', 'https://gis.example.org./admin'],
    ['a dot after localhost', 'http://localhost./admin'],
    ['two ports', 'https://gis.example.org:443:8443/admin'],
    ['an invalid port', 'https://gis.example.org:99999/admin'],
    ['two slashes before the path', 'https://gis.example.org//arcgis/admin'],
    ['two slashes in the path', 'https://gis.example.org/arcgis//admin'],
    ['a path with escapes', 'https://gis.example.org/%2e%2e/admin'],
  ])('has no %s', (_, url) => {
    expect(findSiteUrlProblem(url)).toEqual(expect.any(String))
  })

  test.each([
    'https://someone@gis.example.org',
    'https://someone:hunter2@gis.example.org',
    'https://:x@a.example',
  ])('is rejected because of a user in %s', url => {
    expect(findSiteUrlProblem(url)).toContain('user name or password')
  })

  test('is not repeated in its own error', () => {
    expect(findSiteUrlProblem('https://someone:hunter2@gis.example.org')).not.toContain('hunter2')
  })

  test.each([
    ['https://gis.example.org', 'https://gis.example.org'],
    ['https://gis.example.org/', 'https://gis.example.org'],
    ['https://GIS.example.org:443/admin//', 'https://gis.example.org/admin'],
    ['https://gis.example.org:6443/Admin', 'https://gis.example.org:6443/Admin'],
    ['http://127.0.0.1:80/admin/', 'http://127.0.0.1/admin'],
  ])('%s is normalized to %s', (url, expected) => {
    expect(normalizeSiteUrl(url)).toBe(expected)
  })
})

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['[::1]', true],
  ['128.0.0.1', false],
  ['127.0.0.1.example.org', false],
  ['localhost.example.org', false],
  ['notlocalhost', false],
  ['0.0.0.0', false],
  ['[::]', false],
  ['[::ffff:7f00:1]', false],
  ['', false],
])('that %j stays on this machine is %j', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})

test.each([
  ['https://gis.example.org:6443/arcgis_1/~x/admin.v2', false],
  ['https://GIS.example.org/admin', false],
  ['https://gis.example.org/Admin', true],
  // The path is sent with an escape, which has capitals.
  ['https://gis.example.org/ö', true],
  ['https://gis.example.org/<', true],
  ['no address', false],
  ['NONE', false],
])('%s has capitals in its path: %s', (url, expected) => {
  expect(hasCapitals(url)).toBe(expected)
})

test('a site URL that the fast path accepts has no problem', () => {
  const part = fc.oneof(fc.stringMatching(/^[a-z][a-z0-9]{0,7}$/), fc.stringMatching(/^[a-z0-9-]{1,8}$/))
  const label = fc.oneof(part, fc.constantFrom('1', '127', '0x7f', 'localhost', 'xn--a', '-', 'a-'))
  const hosts = fc.array(label, { minLength: 2, maxLength: 5 })
  const written = fc.tuple(hosts, part, fc.constantFrom('admin', 'manager'))
  let plain = 0
  fc.assert(
    fc.property(written, ([labels, context, last]) => {
      const url = `https://${labels.join('.')}/${context}/${last}`
      if (!isPlainSiteUrl(url)) return
      plain += 1
      expect([findSiteUrlProblem(url), hasCapitals(url), suggestBaseUrl(url)]).toEqual([
        undefined,
        false,
        undefined,
      ])
      expect(new URL(url).href).toBe(url)
    }),
    { numRuns: cases(500) },
  )
  expect(plain).toBeGreaterThan(20)
})

const aSite = (changes: Partial<SiteIdentity> = {}): SiteIdentity => ({
  name: 'production',
  url: 'https://gis.example.org/arcgis/admin',
  state: undefined,
  ...changes,
})
const other = 'https://other.example.org/arcgis/admin'
const state = 'git:origin'

test.each<[string, SiteIdentity, Record<string, unknown> | undefined]>([
  ['the same address', aSite({ name: 'b' }), { byUrl: 0, byName: undefined }],
  ['another spelling of it', aSite({ url: 'https://GIS.example.org:443/arcgis/admin/' }), { byUrl: 0 }],
  ['another address', aSite({ url: other }), undefined],
  ['the same name in declared state', aSite({ url: other, state }), { byName: 0 }],
  ['another name in declared state', aSite({ name: 'b', url: other, state }), undefined],
])('%s', (_what, later, expected) => {
  const found = findNamesakes([aSite({ state: later.state }), undefined, later]).get(2)
  if (expected === undefined) expect(found).toBeUndefined()
  else expect(found).toMatchObject(expected)
})

test.each([
  ['/configure'],
  ['/system/upgrades/config/update/'],
  ['/exportSite'],
  ['/services/Roads.FeatureServer/webhooks/deleteAll'],
  ['/services/Maps/Roads.FeatureServer/webhooks/deleteAll'],
])('an address with the operation %s is not a base URL', path => {
  const problem = `ends in an operation: leave out \`${path.replace(/\/$/, '')}\``
  expect(findSiteUrlProblem(`http://127.0.0.1:4000/arcgis/admin${path}`)).toBe(problem)
})
