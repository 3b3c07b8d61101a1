import { Hmac } from 'node:crypto'
import type { ServiceFailure } from '../../src/client/failure.js'
import { redactFailure, redactObservation, redactWords } from '../../src/client/redact/redacted.js'
import { noSecrets, redactAlso, redactOnly, redactorFor } from '../../src/client/redact/redactor.js'
import { reveal, withhold } from '../../src/client/redact/withheld.js'
import type { Redactor } from '../../src/client/route.js'
import { signIn } from '../../src/client/sign-in.js'
import { Secret } from '../../src/secrets/secret.js'

const password = 'Ein-Passw0rt-das-niemand-sieht'
const lacking = { redact: redactorFor([]), isComplete: false, declared: new Set(['gp3']) }

describe('a process that lacks a secret', () => {
  test('keeps only known codes of an observation', () => {
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

  test.each([
    [{ kind: 'warning', text: password }],
    [{ kind: 'stage', name: password, state: password }],
  ] as const)('keeps the kind of a contradiction and withholds its text: %p', contradiction => {
    const seen = { kind: 'not-configured', implied: true, warnings: [], stages: [], contradiction } as const
    const words = { text: withhold(password), name: withhold(password), state: withhold(password) }
    const kept = Object.entries(contradiction).map(([name, text]) => [name, { ...words, kind: text }[name]])
    const reply = redactObservation({ ok: true, value: seen }, lacking)
    expect(reply).toMatchObject({ value: { contradiction: Object.fromEntries(kept) } })
  })

  test.each([
    ['0123456789abcdef', true],
    ['0123456789ABCDEF', false],
    ['a0123456789abcdef', false],
    ['0123456789abcdef0', false],
  ])('keeps the name of an emulator only in its usual form: %s', (emulator, isKept) => {
    const seen = { kind: 'ready', version: '11.2', emulator, warnings: [], stages: [] } as const
    const reply = redactObservation({ ok: true, value: seen }, lacking)
    expect(reply.ok && 'emulator' in reply.value).toBe(isKept)
  })

  test("keeps Landform's own texts in a failure, and the members about this machine", () => {
    const noSecret = {
      kind: 'unauthorized',
      status: 401,
      reason: 'no-secret',
      message: 'a word of ours',
    } as const
    expect(redactFailure(noSecret, lacking)).toEqual(noSecret)
    const rejected = { ...noSecret, reason: 'account-rejected' } as const
    expect(redactFailure(rejected, lacking)).toEqual({ ...rejected, message: withhold('a word of ours') })
    const refused = { kind: 'refused', status: 400, message: 'a word of ours', details: [] } as const
    expect(redactFailure(refused, lacking)).toEqual({ ...refused, message: withhold('a word of ours') })
    const notSent = {
      kind: 'not-sent',
      cause: 'proxy',
      reason: 'a word of ours',
      proxy: { host: 'a proxy', variable: 'A VARIABLE' },
      certificate: { subject: 'a host', issuer: 'an issuer', validFrom: 'a day', validTo: 'another day' },
    } as const
    expect(redactFailure(notSent as unknown as ServiceFailure, lacking)).toEqual(notSent)
    const { declared: _, ...undeclared } = lacking
    expect(redactWords(['gp3', 'A word'], undeclared)).toEqual(['gp3', 'A word'].map(withhold))
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

test('the same text has the same placeholder, and a blank text is kept', () => {
  const marked = withhold('Certificate of gis has expired')
  expect(marked).toMatch(/^\[withheld \d+\]$/)
  expect(withhold('Certificate of gis has expired')).toBe(marked)
  expect(withhold('Another text')).not.toBe(marked)
  expect(['', ' \n'].map(withhold)).toEqual(['', ' \n'])
})

test('a terminal shows the text of a placeholder, with one full stop inside a sentence', () => {
  const quote = (words: string) => `<${words}>`
  const [one, two] = [withhold('It failed. At once. '), withhold('It failed')]
  expect(reveal(`is ${one}, then`, quote)).toBe('is <It failed. At once>, then')
  expect(reveal(`is ${two}; ${one}.`, quote)).toBe('is <It failed>; <It failed. At once>.')
  expect(reveal(`is ${one}`, quote)).toBe('is <It failed. At once. >')
  expect(reveal(`is ${one}\nthen`, quote)).toBe('is <It failed. At once. >\nthen')
  expect(reveal('is [withheld 987654] and [withheld]', quote)).toBe('is [withheld 987654] and [withheld]')
})

test('two redactions are complete together, and each hides its own secrets', () => {
  const hide = (secret: string, isComplete: boolean) => ({
    redact: redactorFor([new Secret(Buffer.from(secret))]),
    isComplete,
    declared: new Set([secret]),
  })
  const both = [true, false].flatMap(one => [true, false].map(two => [one, two] as const))
  expect(both.map(([one, two]) => redactAlso(hide('sesame', one), hide('simsim', two)).isComplete)).toEqual([
    true,
    false,
    false,
    false,
  ])
  const { redact, declared } = redactAlso(hide('sesame', true), hide('simsim', true))
  expect(redact('sesame, simsim, susam')).toBe('***, ***, susam')
  expect(declared).toEqual(new Set(['sesame']))
})

test('the texts of one response are searched up to a sum of 65,536 characters, and the others are not shown', () => {
  let searched = 0
  const redact = (text: string) => {
    searched += text.length
    return text
  }
  const large = Array.from({ length: 50 }, () => 'x'.repeat(60_000))
  const words = redactWords([...large, 'a short one'], redactOnly(redact))
  expect(searched).toBeLessThanOrEqual(65_536)
  expect(words.slice(1)).toEqual([...Array.from({ length: 49 }, () => '***'), 'a short one'])
  const full = redactWords(['x'.repeat(65_536 - 32), 'y', 'ab', 'xyz', 'xyz'], redactOnly(redact))
  expect(full.slice(1)).toEqual(['y', 'ab', 'xyz', '***'])
  expect(redactWords(large, redactOnly(noSecrets))).toEqual(large)
})

/** Counts the bytes that are searched, by their rolling checksums, and the digests that are computed. */
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

test('the response of a token service is wiped', async () => {
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

test('at most a thousand texts of at most 2,000 characters are kept', async () => {
  // A separate copy of the module: its texts would make other tests in this process withhold theirs without a number.
  const module = '../../src/client/redact/withheld.js?full'
  const { reveal, withhold }: typeof import('../../src/client/redact/withheld.js') = await import(module)
  const long = 'Tomcat '.repeat(400)
  expect(withhold(long)).toBe(withhold(long.slice(0, 2000)))
  expect(reveal(withhold(long), words => words)).toBe(long.slice(0, 2000))
  const texts = Array.from({ length: 1001 }, (_, at) => `text ${at}`)
  const marked = texts.map(withhold)
  const kept = marked.filter(one => one !== '[withheld]')
  const numbers = kept.map(one => Number(/\d+/.exec(one)?.[0]))
  expect(Math.max(...numbers)).toBe(1000)
  expect(marked.slice(kept.length)).toEqual(texts.slice(kept.length).map(() => '[withheld]'))
  expect(withhold('text 0')).toBe(marked[0])
  expect(reveal('is [withheld]', words => words)).toBe('is [withheld]')
})
