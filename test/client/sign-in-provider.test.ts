import { createSignInProvider } from '../../src/client/sign-in-provider.js'
import type { Secret } from '../../src/secrets/secret.js'
import { secretSource } from '../../src/secrets/secret-source.js'
import {
  createTokenProvider,
  noToken,
  retryWithNewToken,
  type TokenProvider,
} from '../../src/secrets/token-provider.js'
import { answeringSite, http, json, type Reply } from '../support/http-double.js'
import { virtualClock } from '../support/virtual-clock.js'

const down = http(503, '')
const wrong = json({ error: { code: 400, message: 'No.', details: [] } })
const minute = 60_000

interface Setting {
  readonly answers?: readonly Reply[]
  readonly named?: TokenProvider
  /** By how much the clock of the site is ahead. */
  readonly aheadMs?: number
  /** The lifetime that the site gives to tokens. */
  readonly lifeMs?: number
  readonly environment?: Readonly<Record<string, string>>
}

/** A sign-in provider for a token service that issues t1, t2 and so on, unless `answers` has another response. */
async function loanFrom({
  answers = [],
  named = noToken,
  aheadMs = 0,
  lifeMs = 60 * minute,
  ...more
}: Setting) {
  const clock = virtualClock()
  let asked = 0
  const site = await answeringSite(() => {
    const answer = answers[asked] ?? ''
    asked += 1
    const expires = clock.now() + aheadMs + lifeMs
    return answer === '' ? json({ token: `t${asked}`, expires, ssl: true }) : answer
  })
  const environment = more.environment ?? { LANDFORM_ADMIN_PASSWORD: 'Correct-horse-1' }
  const account = {
    username: 'siteadmin',
    password: { env: 'LANDFORM_ADMIN_PASSWORD' },
    pointer: '/spec/administrator/password',
    lifetimeMs: 60 * minute,
  } as const
  const secrets = secretSource(environment, '.')
  const loan = createSignInProvider({ url: site.url, account, secrets, clock, named })
  /** Uses a token once; the site accepts the tokens for which `isTaken` returns true. */
  const borrowed = (isTaken: (token: string) => boolean = () => true) =>
    retryWithNewToken(loan.provide, {
      with: async (token, lack) => token?.bytes.toString() ?? lack?.kind ?? 'none',
      wasRejected: text => !isTaken(text),
    })
  return { ...loan, borrowed, clock, asked: () => asked }
}

describe('a token from the token service', () => {
  test('is requested when it is needed, and kept', async () => {
    const { borrowed, asked } = await loanFrom({})
    expect(asked()).toBe(0)
    expect([await borrowed(), await borrowed(), asked()]).toEqual(['t1', 't1', 1])
  })

  test('is requested only once for concurrent uses', async () => {
    const { borrowed, asked } = await loanFrom({})
    expect([await Promise.all([borrowed(), borrowed()]), asked()]).toEqual([['t1', 't1'], 1])
  })

  test.each([
    ['an hour', {}, 59],
    ['the lifetime that the site shortened', { lifeMs: 10 * minute }, 9],
    ['the requested lifetime, if the clock of the site is ahead', { aheadMs: 5 * minute }, 59],
  ])('is renewed shortly before the end of %s', async (_, setting, minutes) => {
    const { borrowed, clock } = await loanFrom(setting)
    await borrowed()
    clock.pass(minutes * minute - 1)
    expect(await borrowed()).toBe('t1')
    clock.pass(1)
    expect(await borrowed()).toBe('t2')
  })

  test('is used until it is rejected, if the clock of the site is far behind', async () => {
    const { borrowed, clock } = await loanFrom({ aheadMs: -24 * 60 * minute })
    await borrowed()
    clock.pass(600 * minute)
    expect(await borrowed()).toBe('t1')
    expect(await borrowed(token => token !== 't1')).toBe('t2')
  })

  test('is requested again once if the site rejects it, but not while it rejects the new one', async () => {
    const { borrowed, clock, asked } = await loanFrom({})
    await borrowed()
    expect(await borrowed(() => false)).toBe('t2')
    expect([await borrowed(() => false), asked()]).toEqual(['trouble', 2])
    clock.pass(1000)
    expect([await borrowed(), asked()]).toEqual(['t3', 3])
  })

  test('is passed as a copy that is wiped afterwards', async () => {
    const { provide, borrowed } = await loanFrom({})
    let passed: Secret | undefined
    await provide(async token => {
      passed = token
    })
    expect(passed?.bytes.toString()).toBe('\0\0')
    expect(await borrowed()).toBe('t1')
  })
})

describe('a token service that issues none', () => {
  test('is retried after growing pauses while it is unavailable', async () => {
    const { borrowed, clock, asked } = await loanFrom({ answers: Array.from({ length: 12 }, () => down) })
    const askedAt: number[] = []
    for (let second = 0; second < 300; second += 1) {
      const before = asked()
      const text = await borrowed()
      if (asked() > before) askedAt.push(second)
      if (asked() === 12) break
      expect(text).toBe('trouble')
      clock.pass(1000)
    }
    expect(askedAt.slice(0, 9)).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183])
  })

  test.each<[string, Reply]>([
    ['unavailable', down],
    ['garbage', http(200, '<html>')],
    ['gone', { close: 'destroy' }],
  ])('that is %s for a while leads to a token in the end', async (_, answer) => {
    const { borrowed, clock } = await loanFrom({ answers: [answer, answer, answer] })
    const seen: string[] = []
    for (let look = 0; look < 4; look += 1) {
      seen.push(await borrowed())
      clock.pass(minute)
    }
    expect(seen).toEqual(['trouble', 'trouble', 'trouble', 't4'])
  })

  test('for this account is used at most four times in a quarter of an hour, so that the account is not locked', async () => {
    const { borrowed, clock, asked } = await loanFrom({ answers: Array.from({ length: 9 }, () => wrong) })
    const askedAt: number[] = []
    for (let second = 0; second <= 1201; second += 1) {
      const before = asked()
      expect(await borrowed()).toBe('refused')
      if (asked() > before) askedAt.push(second)
      clock.pass(1000)
    }
    expect(askedAt).toEqual([0, 1, 301, 601, 901, 1201])
  })

  test('for an account that is created later issues a token then', async () => {
    const { borrowed, clock } = await loanFrom({ answers: [wrong, wrong, wrong] })
    for (let look = 0; look < 3; look += 1) {
      expect(await borrowed()).toBe('refused')
      clock.pass(5 * minute)
    }
    expect(await borrowed()).toBe('t4')
  })

  test('is not used if the password is missing', async () => {
    const { borrowed, provide, asked } = await loanFrom({ environment: {} })
    expect([await borrowed(), asked()]).toEqual(['refused', 0])
    const lack = await provide(async (_, terms) => terms?.error)
    expect(JSON.stringify(lack)).toContain('LANDFORM_ADMIN_PASSWORD')
  })
})

describe('a token in the manifest', () => {
  const inVariable = (environment: Record<string, string>) =>
    createTokenProvider({ env: 'LANDFORM_TOKEN' }, secretSource(environment, '.'))

  test('is used before any sign-in', async () => {
    const { borrowed, asked } = await loanFrom({ named: inVariable({ LANDFORM_TOKEN: 'named' }) })
    expect([await borrowed(), asked()]).toEqual(['named', 0])
  })

  test('may be missing', async () => {
    const { borrowed } = await loanFrom({ named: inVariable({}) })
    expect(await borrowed()).toBe('t1')
  })

  test('is not tried again after a rejection if there is another token', async () => {
    const tried: string[] = []
    const { borrowed } = await loanFrom({ named: inVariable({ LANDFORM_TOKEN: 'named' }) })
    const isTaken = (token: string) => tried.push(token) > 0 && token !== 'named'
    expect([await borrowed(isTaken), await borrowed(isTaken)]).toEqual(['t1', 't1'])
    expect(tried).toEqual(['named', 't1', 't1'])
  })

  test('is tried again if the token service issues none, since it may be a newer one', async () => {
    const environment: Record<string, string> = { LANDFORM_TOKEN: 'old' }
    const { borrowed } = await loanFrom({ named: inVariable(environment), answers: [down] })
    expect(await borrowed(token => token === 'new')).toBe('old')
    environment['LANDFORM_TOKEN'] = 'new'
    expect(await borrowed(token => token === 'new')).toBe('new')
  })

  test('without an account is read once more when it is rejected, and used again only if it differs', async () => {
    const uses: string[] = []
    const environment: Record<string, string> = { LANDFORM_TOKEN: 'old' }
    const used = (then: string) =>
      retryWithNewToken(inVariable(environment), {
        async with(token) {
          uses.push(token?.bytes.toString() ?? '')
          environment['LANDFORM_TOKEN'] = then
          return uses.at(-1)
        },
        wasRejected: () => true,
      })
    await used('old')
    await used('new')
    expect(uses).toEqual(['old', 'old', 'new'])
  })
})
