/** Where an emulator stands, for a request that is written by hand. */
export interface Stand {
  readonly port: number
  /** The path of its site. */
  readonly base: string
}

/** A way to ask that is to be turned away: what stands in place of the target, and the headers. */
export interface Spelling {
  readonly what: string
  readonly target?: (path: string, stand: Stand) => string
  readonly protocol?: 'HTTP/1.0'
  headers(stand: Stand): readonly string[]
}

const own = ({ port }: Stand) => `Host: 127.0.0.1:${port}`

const hosts: readonly string[] = [
  'evil.example',
  'evil.example:PORT',
  'gis.example.org',
  '127.0.0.1',
  'localhost',
  '127.0.0.1:1',
  'localhost.:PORT',
  '127.0.0.1.:PORT',
  '[::1]:PORT',
  '[::ffff:127.0.0.1]:PORT',
  '0.0.0.0:PORT',
  '127.1:PORT',
  '127.0.0.2:PORT',
  '2130706433:PORT',
  '0x7f000001:PORT',
  'x@127.0.0.1:PORT',
  '127.0.0.1:PORT@evil.example',
  '127.0.0.1.evil.example:PORT',
  'evil.example, 127.0.0.1:PORT',
  '127.0.0.1:PORT, evil.example',
  'http://127.0.0.1:PORT',
  '127.0.0.1:0PORT',
  '',
]

const origins: readonly string[] = [
  'https://evil.example',
  'http://evil.example:PORT',
  'http://127.0.0.1',
  'https://127.0.0.1:PORT',
  'http://localhost:PORT',
  'http://127.0.0.1:PORT.evil.example',
  'null',
  '',
]

const at = (text: string, { port }: Stand) => text.replace('PORT', String(port))

/** Each of them, for every route. */
export const spellings: readonly Spelling[] = [
  ...hosts.map(host => ({
    what: `Host: ${host}`,
    headers: (stand: Stand) => [`Host: ${at(host, stand)}`],
  })),
  ...origins.map(origin => ({
    what: `Origin: ${origin}`,
    headers: (stand: Stand) => [own(stand), `Origin: ${at(origin, stand)}`],
  })),
  {
    what: 'the own origin beside another',
    headers: stand => [
      own(stand),
      `Origin: ${at('http://127.0.0.1:PORT', stand)}`,
      'Origin: https://evil.example',
    ],
  },
  { what: 'no Host', headers: () => [] },
  { what: 'no Host in an old version', protocol: 'HTTP/1.0', headers: () => [] },
  { what: 'two Hosts, the other one last', headers: stand => [own(stand), 'Host: evil.example'] },
  { what: 'two Hosts, the other one first', headers: stand => ['Host: evil.example', own(stand)] },
  {
    what: 'a foreign Host with a header that names the own',
    headers: stand => ['Host: evil.example', `X-Forwarded-Host: 127.0.0.1:${stand.port}`],
  },
  {
    what: 'a target with another host in it',
    target: path => `http://evil.example${path}`,
    headers: stand => [own(stand)],
  },
  {
    what: 'a target with the own host in it, and another Host',
    target: (path, { port }) => `http://127.0.0.1:${port}${path}`,
    headers: () => ['Host: evil.example'],
  },
  {
    what: 'a page of another site, which sends no Origin',
    headers: stand => [own(stand), 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors'],
  },
  {
    what: 'a page of another port',
    headers: stand => [own(stand), 'Sec-Fetch-Site: same-site'],
  },
]

/** What an emulator answers, of the service and beside it. */
export function routesOf({ base }: Stand): readonly string[] {
  const sharing = `${base.replace(/\/admin$/, '')}/sharing/rest/generateToken`
  const ofService = ['', '?f=json', '/configure', '/exportSite', '/system/upgrades/config/update']
  const control = ['', 'state.json', 'requests.json', 'events', 'nowhere']
  return [
    ...ofService.map(path => `${base}${path}`),
    `${base}/services/Roads.FeatureServer/webhooks/deleteAll`,
    sharing,
    ...control.map(name => `/_emulator/${name}`),
    '/_emulator',
    '/',
    '/nowhere',
  ]
}

/** The bytes of a request without a body. */
export function written(
  { method, path }: { readonly method: string; readonly path: string },
  spelling: Spelling,
  stand: Stand,
): string {
  const target = spelling.target?.(path, stand) ?? path
  const headers = [...spelling.headers(stand), 'Accept: text/html', 'Connection: close', 'Content-Length: 0']
  return `${method} ${target} ${spelling.protocol ?? 'HTTP/1.1'}\r\n${headers.join('\r\n')}\r\n\r\n`
}

/** The ways to ask that are right. */
export const ownSpellings: readonly Spelling[] = ['127.0.0.1:PORT', 'localhost:PORT', 'LOCALHOST:PORT'].map(
  host => ({ what: `Host: ${host}`, headers: stand => [`Host: ${at(host, stand)}`] }),
)
