import { selectProxy } from '../../src/client/proxy.js'

const site = 'https://gis.example.org/arcgis/admin'
const secret = 'S3cret-of-the-proxy'

const hostOf = (url: string, environment: Readonly<Record<string, string>>) => {
  const choice = selectProxy(url, environment)
  return choice.kind === 'proxy' ? choice.proxy.host : choice.kind
}

describe('the proxy of a site', () => {
  test.each<[Readonly<Record<string, string>>, string]>([
    [{}, 'direct'],
    [{ HTTPS_PROXY: '' }, 'direct'],
    [{ HTTP_PROXY: 'http://proxy:3128' }, 'direct'],
    [{ HTTPS_PROXY: 'http://proxy:3128' }, 'proxy:3128'],
    [{ https_proxy: 'http://proxy:3128', HTTPS_PROXY: 'http://other:1' }, 'proxy:3128'],
    [{ https_proxy: '', HTTPS_PROXY: 'http://other:1' }, 'other:1'],
    [{ ALL_PROXY: 'http://proxy:3128' }, 'proxy:3128'],
    [{ HTTPS_PROXY: 'proxy:3128' }, 'proxy:3128'],
    [{ HTTPS_PROXY: 'http://proxy' }, 'proxy:80'],
    [{ HTTPS_PROXY: 'https://proxy' }, 'proxy:443'],
    [{ HTTPS_PROXY: `http://me:${secret}@proxy:3128/` }, 'proxy:3128'],
    [{ HTTPS_PROXY: `http://me:${secret}%23%3F%2F%5C%25@proxy:3128` }, 'proxy:3128'],
    [{ HTTPS_PROXY: `http://me:${secret}!@:&@proxy:3128` }, 'proxy:3128'],
    [{ HTTPS_PROXY: 'HTTP://proxy:3128/' }, 'proxy:3128'],
    [{ HTTPS_PROXY: 'http://[fd00::1]:3128' }, '[fd00::1]:3128'],
  ])('with %j is %s', (environment, expected) => {
    expect(hostOf(site, environment)).toBe(expected)
  })

  test.each([
    ['socks5://proxy:1080', { kind: 'unsupported-scheme', scheme: 'socks5' }],
    [`http://me:${secret}@`, { kind: 'not-a-url' }],
    [`http://me:${secret}%@proxy:8080`, { kind: 'invalid-escape' }],
    [`http://me:${secret}#end@proxy:3128`, { kind: 'not-only-a-host' }],
    [`http://${secret}#end@proxy:3128`, { kind: 'not-only-a-host' }],
    [`${secret}#end@proxy:3128`, { kind: 'not-only-a-host' }],
    [`http://me:12#${secret}@proxy:3128`, { kind: 'not-only-a-host' }],
    [`http://me:12?${secret}@proxy:3128`, { kind: 'not-only-a-host' }],
    [`http://me:12/${secret}@proxy:3128`, { kind: 'not-only-a-host' }],
    [`http://DOMAIN\\me:${secret}@proxy:3128`, { kind: 'not-only-a-host' }],
    ['http://proxy:3128/path', { kind: 'not-only-a-host' }],
    ['http://proxy:3128?query', { kind: 'not-only-a-host' }],
    ['http://proxy:3128/#', { kind: 'not-only-a-host' }],
    [`"http://me:${secret}@proxy:3128"`, { kind: 'quoted' }],
    [`'http://me:${secret}@proxy:3128'`, { kind: 'quoted' }],
  ])('with the value %s is reported as unusable, and not shown', (text, defect) => {
    const choice = selectProxy(site, { HTTPS_PROXY: text })
    expect(choice).toEqual({ kind: 'unusable', variable: 'HTTPS_PROXY', defect })
    expect(JSON.stringify(choice)).not.toContain(secret)
  })

  test.each(['http://localhost:1/admin', 'https://127.0.0.1:8443', 'https://[::1]/admin'])(
    'is not used for a site on this machine: %s',
    url => {
      expect(hostOf(url, { HTTPS_PROXY: 'http://proxy:3128' })).toBe('direct')
    },
  )
})

describe('NO_PROXY', () => {
  const without = (url: string, noProxy: string) =>
    hostOf(url, { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: noProxy }) === 'direct'

  test.each([
    ['gis.example.org', site],
    ['GIS.Example.ORG', site],
    ['example.org', site],
    ['.example.org', site],
    ['*.example.org', site],
    ['a.test, example.org ,b.test', site],
    ['a.test example.org', site],
    ['*', site],
    ['gis.example.org:443', site],
    ['gis.example.org:8443', 'https://gis.example.org:8443/admin'],
    ['10.1.2.3', 'https://10.1.2.3/admin'],
    ['10.0.0.0/8', 'https://10.1.2.3/admin'],
    ['[fd00::1]', 'https://[fd00::1]/admin'],
    ['fd00::1', 'https://[fd00::1]/admin'],
    ['[fd00::1]:443', 'https://[fd00::1]/admin'],
    ['fd00::/8', 'https://[fd00::1]/admin'],
  ])('%s excludes %s', (noProxy, url) => {
    expect(without(url, noProxy)).toBe(true)
  })

  test.each([
    ['', site],
    [',', site],
    ['.', site],
    ['xample.org', site],
    ['is.example.org', site],
    ['gis.example.org.evil.test', site],
    ['gis.example.org:8443', site],
    ['www.gis.example.org', site],
    ['g*.example.org', site],
    ['10.1.2', 'https://10.1.2.3/admin'],
    ['1.2.3', 'https://10.1.2.3/admin'],
    ['11.0.0.0/8', 'https://10.1.2.3/admin'],
    ['10.0.0.0/99', 'https://10.1.2.3/admin'],
    ['fd00::/8', 'https://10.1.2.3/admin'],
    ['10.0.0.0/8', site],
  ])('%j does not exclude %s', (noProxy, url) => {
    expect(without(url, noProxy)).toBe(false)
  })

  test('in lower case takes precedence', () => {
    const environment = { HTTPS_PROXY: 'http://proxy:3128', no_proxy: 'other.test', NO_PROXY: '*' }
    expect(hostOf(site, environment)).toBe('proxy:3128')
  })
})
