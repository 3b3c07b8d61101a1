import { redactFailure, redactObservation, redactWords } from '../../src/client/redact/redacted.js'
import { redactOnly, redactorFor } from '../../src/client/redact/redactor.js'
import { signIn } from '../../src/client/sign-in.js'
import { Secret } from '../../src/secrets/secret.js'

const password = 'Ein-Passw0rt-das-niemand-sieht'
const lacking = { redact: redactorFor([]), isComplete: false, declared: new Set(['gp3']) }

describe('a process that lacks a secret', () => {
  test('keeps of an observation what is known to be a code', () => {
    const seen = {
      kind: 'ready',
      version: '11.2.0',
      build: '1234',
      warnings: [password, '404', 'gp3'],
      stages: [],
    } as const
    const kept = redactObservation({ ok: true, value: seen }, lacking)
    expect(kept).toMatchObject({ ok: true, value: { kind: 'ready', version: '11.2.0', build: '1234' } })
    expect(kept).toMatchObject({ value: { warnings: [expect.stringMatching(/^\[withheld/), '404', 'gp3'] } })
    const named = { ...seen, build: password, emulator: password }
    const known = redactObservation({ ok: true, value: named }, lacking)
    expect(known.ok && Object.keys(known.value)).toEqual(['kind', 'version', 'warnings', 'stages'])
  })

  test('withholds the target of a redirect, and the message and details of an error', () => {
    const redirected = {
      kind: 'redirected',
      status: 302,
      to: 'elsewhere',
      target: `https://a.example/${password}`,
    } as const
    const refused = {
      kind: 'refused',
      status: 200,
      code: 400,
      message: password,
      details: [password],
    } as const
    for (const failure of [redirected, refused])
      expect(JSON.stringify(redactFailure(failure, lacking))).not.toContain(password)
    expect(redactFailure(refused, lacking)).toMatchObject({ kind: 'refused', status: 200, code: 400 })
  })
})

test('the texts of one answer are searched up to a sum of 65,536 characters, and the others are not shown', () => {
  let searched = 0
  const redact = (text: string) => {
    searched += text.length
    return text
  }
  const large = Array.from({ length: 50 }, () => 'x'.repeat(60_000))
  const words = redactWords([...large, 'a short one'], redactOnly(redact))
  expect(searched).toBeLessThanOrEqual(65_536)
  expect(words.slice(1)).toEqual([...Array.from({ length: 49 }, () => '***'), 'a short one'])
})

test('a text of 65,536 characters takes little CPU, with every word of a large license', () => {
  const license = Array.from({ length: 2000 }, (_, at) => `word-of-a-license-${at}-${'x'.repeat(at % 60)}`)
  const redact = redactorFor([new Secret(Buffer.from(license.join('\n')))])
  const before = process.cpuUsage()
  redact('%41%42 YWJj '.repeat(5400))
  const { user } = process.cpuUsage(before)
  // A pass over the text for each word would take a hundred times as long as one for all of them, which takes half a second.
  expect(user / 1000).toBeLessThan(10_000)
})

test('the answer of a token service is wiped', async () => {
  const bytes = Buffer.from(JSON.stringify({ error: { code: 400, message: password } }))
  const transport = async () => ({ kind: 'answer', status: 200, headers: {}, bytes }) as const
  const account = {
    username: 'siteadmin',
    password: { env: 'LANDFORM_ADMIN_PASSWORD' },
    pointer: '/--sign-in',
    lifetimeMs: 60_000,
  } as const
  const secret = new Secret(Buffer.from(password))
  await signIn({ url: 'https://gis.example.org/admin', route: { transport } }, account, secret)
  expect(bytes.every(byte => byte === 0)).toBe(true)
})
