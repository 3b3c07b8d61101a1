import { toFailure } from '../../src/report/endings/problems.js'

const url = 'https://gis.example.org/arcgis/admin'

test.each(['ENOMEM', 'ENOBUFS', 'EMFILE', 'ENFILE', 'EADDRNOTAVAIL'])(
  'a connection that fails for local reasons does not suggest to check the address of the site: %s',
  reason => {
    const failure = { kind: 'not-sent', cause: 'connection', reason } as const
    const { exitCode, message, next = [] } = toFailure({ kind: 'look', url, failure })
    expect([exitCode, message, ...next]).toEqual([
      69,
      expect.stringMatching(/could not connect \(this (?:machine|process) .*E[A-Z]+\)/),
      expect.stringContaining('on this machine'),
    ])
  },
)

test('a page instead of a tunnel is the response of the proxy, with its status', () => {
  const proxy = { host: 'proxy:3128', variable: 'HTTPS_PROXY' }
  const failure = { kind: 'not-sent', cause: 'proxy', reason: 'HTTP_200', proxy } as const
  const { exitCode, message, next = [] } = toFailure({ kind: 'look', url, failure })
  expect([exitCode, message, ...next]).toEqual([
    69,
    expect.stringContaining('the proxy proxy:3128 (HTTPS_PROXY) responded with a page'),
    expect.stringContaining('check the proxy in HTTPS_PROXY'),
  ])
  expect(message).toContain('(HTTP 200)')
})
