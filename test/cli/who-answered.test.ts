import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TlsOptions } from 'node:tls'
import { anAuthority } from '../support/certificate.js'
import { writeExample } from '../support/example-copy.js'
import { answeringSite, http, httpDouble, json } from '../support/http-double.js'
import { landform } from '../support/landform.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const html = 'content-type: text/html\r\n'

interface Wishes {
  readonly token?: string
  /** The certificate of the CA that issued the server's. */
  readonly authority?: string
}

/** Plans for a site, with a token in the environment if there is one. */
async function planned(url: string, { token, authority }: Wishes = {}) {
  const folder = await temporaryFolder()
  const site = [
    `    url: ${url}`,
    ...(token === undefined ? [] : ['    token: { env: LANDFORM_TOKEN }']),
    ...(authority === undefined ? [] : ['    tls: { caFile: ca.pem }']),
  ]
  const edit = (text: string) =>
    text.replace(/^ {4}token: .*\n/m, '').replace(/^ {4}url: .*$/m, site.join('\n'))
  const file = writeExample(folder, { edit })
  if (authority !== undefined) await writeFile(join(folder, 'ca.pem'), authority)
  const { LANDFORM_TOKEN: _, ...secrets } = someSecrets
  const environment = { ...secrets, ...(token !== undefined && { LANDFORM_TOKEN: token }) }
  return landform(['plan', file, '--state', `file:${folder}`], { environment })
}

/** A page as nginx sends it. */
const page = (status: number, title: string, headers = '') =>
  http(
    status,
    `<html>\r\n<head><title>${title}</title></head>\r\n<body>${title}</body>\r\n</html>`,
    `${html}${headers}`,
  )

const about = /token in the environment variable|has expired|authentication failed/

describe('a response to a GET without a token', () => {
  test.each<readonly [string, string, number, RegExp, RegExp]>([
    [
      'a 403 page of a firewall',
      page(403, '403 Forbidden', 'server: awselb/2.0\r\n'),
      77,
      /something in front of the service denied access \(HTTP 403, server `awselb\/2\.0`\): 403 Forbidden/,
      /allow requests to `\/portal\/admin` through the proxy or gateway in front of the service, or write an address/,
    ],
    [
      'an account of a gateway',
      page(
        401,
        '401 Authorization Required',
        'server: nginx\r\nwww-authenticate: Basic realm="Corporate proxy"\r\n',
      ),
      77,
      /asks for an account of its own, realm `Corporate proxy` \(HTTP 401, server `nginx`\)/,
      /Landform cannot sign in to a proxy or gateway: allow requests to `\/portal\/admin` through/,
    ],
    [
      'a ticket of a domain',
      page(
        401,
        'Unauthorized',
        'server: Microsoft-IIS/10.0\r\nwww-authenticate: Negotiate\r\nwww-authenticate: NTLM\r\n',
      ),
      77,
      /asks for an account of its own \(HTTP 401, server `Microsoft-IIS\/10\.0`\)/,
      /Landform cannot sign in to a proxy or gateway/,
    ],
    [
      'a redirect to a single sign-on',
      http(302, '', 'server: envoy\r\nlocation: https://sso.example.com/auth/login?next=x\r\n'),
      77,
      /a sign-in page instead of the service: redirected to https:\/\/sso\.example\.com\/auth\/login, not followed \(HTTP 302, server `envoy`\)/,
      /asks to sign in: allow requests to `\/portal\/admin` through/,
    ],
    [
      'a login page',
      page(200, 'Log in to the portal', 'server: nginx\r\n'),
      77,
      /a sign-in page instead of the service \(HTTP 200, server `nginx`\): Log in to the portal/,
      /asks to sign in: allow requests to `\/portal\/admin` through/,
    ],
    [
      'a page of nginx about a missing client certificate',
      page(400, '400 No required SSL certificate was sent', 'server: nginx/1.22.1\r\n'),
      77,
      /the server requires a client certificate that it trusts \(HTTP 400, server `nginx\/1\.22\.1`\)/,
      /in `spec\.site\.tls\.client`/,
    ],
    [
      'a page of nginx about http at an https port',
      page(400, '400 The plain HTTP request was sent to HTTPS port'),
      78,
      /the port expects https \(HTTP 400\)/,
      /write https:\/\/ in `spec\.site\.url`/,
    ],
    [
      'a text of Tomcat about it',
      http(400, 'Bad Request\nThis combination of host and port requires TLS.\n'),
      78,
      /the port expects https/,
      /write https:/,
    ],
    [
      'a maintenance page with 200',
      page(200, 'Scheduled maintenance', 'server: cloudflare\r\n'),
      75,
      /a maintenance page instead of the service \(HTTP 200, server `cloudflare`\): Scheduled maintenance/,
      /try again/,
    ],
    [
      'a text that is not JSON',
      http(200, '{"status": {"state": "ready"},\n "warnings": none}'),
      75,
      /unexpected response \(HTTP 200\): not JSON at line 2, column 15: \{"status": \{"state": "ready"\}, "warnings": none\}/,
      /check the address/,
    ],
  ])('%s: the message names the source', async (_, answer, exitCode, message, next) => {
    const site = await answeringSite('', answer)
    const run = await planned(site.url)
    expect(run.exitCode).toBe(exitCode)
    expect(run.err).toMatch(message)
    expect(run.err).toMatch(next)
    expect(run.err).not.toMatch(about)
    expect(site.gets().length).toBe(1)
  })

  test('with the code 499 suggests a token', async () => {
    const error = { code: 499, message: 'Token Required.', details: [] }
    const site = await answeringSite('', json({ error }))
    const { exitCode, err } = await planned(site.url)
    expect([exitCode, err]).toEqual([77, expect.stringMatching(/authentication failed: Token Required/)])
    expect(err).toMatch(/signIn: \{ as: administrator \}/)
  })
})

describe('a response to a GET with a token', () => {
  test("that is a firewall's page suggests the firewall first, then the token", async () => {
    const site = await answeringSite('', page(403, '403 Forbidden', 'server: awselb/2.0\r\n'))
    const run = await planned(site.url, { token: 'a-token-of-some-length' })
    expect(run.exitCode).toBe(77)
    expect(run.err).toMatch(/denied access \(HTTP 403, server `awselb\/2\.0`\)/)
    expect(run.err).toMatch(
      /allow requests to `\/portal\/admin` through.*if the service itself asks for a token: replace the token/s,
    )
    expect(site.gets().map(({ head }) => /^authorization: Bearer /im.test(head))).toEqual([false, true])
  })

  test('that requires the account of a gateway does not mention the token, which is sent once', async () => {
    const answer = page(401, '401', 'www-authenticate: Basic realm="x"\r\n')
    const site = await answeringSite('', answer)
    const run = await planned(site.url, { token: 'a-token-of-some-length' })
    expect(run.err).not.toMatch(about)
    expect(site.gets().length).toBe(2)
  })

  test('that is an empty 403 suggests another token', async () => {
    const site = await answeringSite('', http(403, ''))
    const run = await planned(site.url, { token: 'a-token-of-some-length' })
    expect(run.err).toMatch(/authentication failed: HTTP 403/)
    expect(run.err).toMatch(/replace the token/)
  })
})

describe('a server that requires a client certificate', () => {
  const authority = anAuthority('An authority')

  async function plannedAt(options: TlsOptions) {
    const { cert, key } = authority.issue('localhost', { names: ['localhost'] })
    const wanted = { ca: authority.cert, requestCert: true, rejectUnauthorized: true }
    const { port } = await httpDouble([], { cert, key, ...wanted, ...options })
    return planned(`https://localhost:${port}/portal/admin`, { authority: authority.cert })
  }

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('is reported over %s, with spec.site.tls', async version => {
    const run = await plannedAt({ minVersion: version, maxVersion: version })
    expect(run.err).toMatch(/client certificate/)
    expect(run.err).toMatch(/spec\.site\.tls\.client/)
    expect(run.exitCode).toBe(77)
  })

  test('is suspected if the handshake ends at once', async () => {
    const server = await httpDouble([{ on: 'bytes', reply: { close: 'destroy' } }])
    const run = await planned(`https://127.0.0.1:${server.port}/portal/admin`)
    expect(run.err).toMatch(/could not connect: the server ended the TLS handshake/)
    expect(run.err).toMatch(/spec\.site\.tls\.client/)
    expect(run.exitCode).toBe(77)
  })
})

test('a version without quotes in the root resource is accepted', async () => {
  const body = '{"currentVersion": 11.2.1,"resources":["orgs"],"status":{"state":"not_configured"}}'
  const site = await answeringSite('', http(200, body))
  expect(await planned(site.url)).toMatchObject({ exitCode: 0 })
})

test('without all secrets, the server and the text of a page are shown on the terminal only', async () => {
  const site = await answeringSite('', page(403, 'The Page', 'server: TheServer\r\n'))
  const run = await landform(['status', 'examples/quickstart.yaml', '--url', site.url, '--format', 'json'], {
    environment: {},
  })
  expect(run.exitCode).toBe(77)
  expect(run.out).not.toMatch(/The Page|TheServer/)
  expect(run.out).toMatch(
    /something in front of the service denied access \(HTTP 403, server `\[withheld \d+\]`\): \[withheld \d+\]/,
  )
})
