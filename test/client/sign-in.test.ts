import { accountOf, cutToken, signIn } from '../../src/client/sign-in.js'
import { Secret } from '../../src/secrets/secret.js'
import { aManifest } from '../support/a-manifest.js'
import { type Answer, answeringSite, http, json } from '../support/http-double.js'

const secret = 'canary pa"ss\\w\u00f6rd & 1'
const token = 'canary-token_0123456789.ABC'
const account = {
  username: 'site admin',
  password: { env: 'LANDFORM_ADMIN_PASSWORD' },
  pointer: '/spec/administrator/password',
  lifetimeMs: 90_000,
} as const

async function answered(reaction: Answer, path?: string) {
  const site = await answeringSite(reaction)
  const password = new Secret(Buffer.from(secret))
  const reply = await signIn({ url: site.url }, { ...account, ...(path !== undefined && { path }) }, password)
  return { ...site, reply }
}

describe('the account', () => {
  const signedIn = (signIn: ReturnType<typeof aManifest>['site']['signIn'] & {}) => {
    const manifest = aManifest()
    return accountOf({ ...manifest, site: { ...manifest.site, signIn } })
  }

  test('is missing if the manifest has none', () => {
    expect(accountOf(aManifest())).toBeUndefined()
  })

  test('is the administrator, for an hour', () => {
    const { username, password } = aManifest().organization.administrator
    expect(signedIn({ as: 'administrator' })).toEqual({
      username,
      password,
      pointer: '/spec/administrator/password',
      lifetimeMs: 3_600_000,
    })
  })

  test('is another one, with its own lifetime', () => {
    const password = { file: 'secrets/ops' }
    expect(signedIn({ username: 'ops', password, lifetime: '2h', path: '/t' })).toEqual({
      username: 'ops',
      password,
      pointer: '/spec/site/signIn/password',
      lifetimeMs: 7_200_000,
      path: '/t',
    })
  })
})

describe('the request', () => {
  test('is one form to a path beside the administrator API, with nothing in the URL', async () => {
    const { posts, url } = await answered(json({ token, expires: 5, ssl: true }))
    const [request] = posts()
    expect(posts()).toHaveLength(1)
    expect(request?.path).toBe('/portal/sharing/rest/generateToken')
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      username: 'site admin',
      password: secret,
      client: 'referer',
      referer: url,
      expiration: '2',
      f: 'json',
    })
    expect(request?.head).not.toMatch(/canary/)
  })

  test('is sent to the path in the manifest, on the same host', async () => {
    const { posts } = await answered(json({}), '/other/generateToken')
    expect(posts()[0]?.path).toBe('/other/generateToken')
  })
})

describe('the response', () => {
  test.each([
    ['as reported', JSON.stringify({ token, expires: 1_700_000_000_000, ssl: true }), token],
    ['in another order', JSON.stringify({ ssl: true, expires: 1_700_000_000_000, token }), token],
    ['with whitespace', `{ "token" :\r\n\t"${token}" , "expires" : 1700000000000 }`, token],
    ['with escapes', '{"token":"a\\/b\\u003d\\u003D\\\\c","expires":1700000000000}', 'a/b==\\c'],
  ])('%s has a token and its expiry', async (_, body, expected) => {
    const { reply } = await answered(http(200, body))
    if (!reply.ok) throw new Error(JSON.stringify(reply))
    expect(reply.value.token.bytes.toString()).toBe(expected)
    expect(reply.value.expires).toBe(1_700_000_000_000)
    expect(JSON.stringify(reply)).not.toContain(expected)
  })

  const error = (code: number, status = 200) =>
    json({ error: { code, message: `${secret} ${token}`, details: [] } }, status)
  test.each([
    ['for wrong credentials', error(400), 400],
    ['for wrong credentials with HTTP 400', error(400, 400), 400],
    ['for an account without rights', error(403), 403],
    ['HTTP 401', http(401, ''), 401],
    ['in the other form', json({ status: 'error', messages: [secret], code: 400 }), 400],
  ])('%s is a rejection whose text is not kept', async (_, reaction, code) => {
    const { reply } = await answered(reaction)
    expect(reply).toMatchObject({ ok: false, error: { kind: 'refused', code } })
    expect(JSON.stringify(reply)).not.toMatch(/canary/)
  })

  test.each<[string, Answer, string]>([
    ['of a starting portal', error(503), 'CODE_503'],
    ['of a missing service', error(404), 'CODE_404'],
    ['HTTP 503', http(503, '<html>'), 'HTTP_503'],
    ['an error body with HTTP 502', error(400, 502), 'CODE_400'],
    ['a page of the ingress', http(404, '<html>not found'), 'no-token'],
    ['a redirect', http(302, '', 'location: https://evil.example/\r\n'), 'HTTP_302'],
    ['nothing', http(200, ''), 'no-token'],
    ['a null token', json({ token: null }), 'no-token'],
    ['an empty token', json({ token: '' }), 'no-token'],
    ['a token deeper inside', json({ result: { token } }), 'no-token'],
    ['two tokens', http(200, `{"token":"${token}","token":"x"}`), 'no-token'],
    ['a token with a line break', http(200, '{"token":"a\\nb"}'), 'no-token'],
    ['a token beyond ASCII', http(200, '{"token":"a\\u00e4"}'), 'no-token'],
    ['a truncated token', http(200, `{"token":"${token}`), 'no-token'],
    ['a token and an error', json({ token, status: 'error', code: 503 }), 'CODE_503'],
    ['half a response', 'HTTP/1.1 200 X\r\ncontent-length: 9\r\n\r\n{"to', 'UND_ERR'],
    ['not HTTP', 'SSH-2.0-x\r\n', 'HTTPParserError'],
  ])('%s is a temporary failure', async (_, reaction, reason) => {
    const { reply } = await answered(reaction)
    expect(reply).toMatchObject({ ok: false, error: { kind: 'trouble' } })
    if (!reply.ok && reply.error.kind === 'trouble') expect(reply.error.reason).toContain(reason)
    expect(JSON.stringify(reply)).not.toMatch(/canary/)
  })
})

test('a token that was extracted is wiped from the response', () => {
  const answer = Buffer.from(JSON.stringify({ expires: 1, token, ssl: true }))
  const cut = cutToken(answer)
  expect(cut?.token.bytes.toString()).toBe(token)
  expect(JSON.parse(answer.toString())).toEqual({ expires: 1, token: '*'.repeat(token.length), ssl: true })
})
