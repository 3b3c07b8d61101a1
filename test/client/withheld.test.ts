import { Hmac } from 'node:crypto'
import { redactFailure, redactObservation, redactWords } from '../../src/client/redact/redacted.js'
import { redactOnly, redactorFor } from '../../src/client/redact/redactor.js'
import type { Redactor } from '../../src/client/route.js'
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

/** Counts the bytes that are searched, by the sums over them, and the digests that are computed. */
function countWork(work: () => void): { readonly sums: number; readonly digests: number } {
  const { imul } = Math
  const { digest } = Hmac.prototype
  let [sums, digests] = [0, 0]
  Math.imul = (one, other) => {
    sums += 1
    return imul(one, other)
  }
  Hmac.prototype.digest = new Proxy(digest, {
    apply(target, hmac, options) {
      digests += 1
      return Reflect.apply(target, hmac, options)
    },
  })
  try {
    work()
    return { sums, digests }
  } finally {
    Math.imul = imul
    Hmac.prototype.digest = digest
  }
}

test('a text is searched once for all words of a large license, and once for each of its characters', () => {
  const license = Array.from({ length: 2000 }, (_, at) => `word-of-a-license-${at}-${'x'.repeat(at % 60)}`)
  const [many, one] = [license, license.slice(0, 1)].map(words =>
    redactorFor([new Secret(Buffer.from(words.join('\n')))]),
  ) as [Redactor, Redactor]
  const text = '%41%42 YWJj \\u0041 &amp; '.repeat(40)
  const { sums } = countWork(() => one(text))
  expect(sums).toBeGreaterThan(text.length)
  expect(countWork(() => many(text)).sums).toBeLessThan(sums * 1.1)
  expect(countWork(() => many(text.repeat(10))).sums).toBeLessThan(sums * 11)
})

test('a text that repeats the lines of a license everywhere is not shown, after 10,000 digests', () => {
  const lines = Array.from({ length: 10 }, (_, at) => '-'.repeat(20 + at))
  const redact = redactorFor([new Secret(Buffer.from(`${lines.join('\n')}\nA license`))])
  const { digests } = countWork(() => expect(redact('-'.repeat(65_536))).toBe('***'))
  expect(digests).toBeLessThanOrEqual(10_000)
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
