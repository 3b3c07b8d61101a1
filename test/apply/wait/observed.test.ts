import {
  findWaitResult,
  isSameDifference,
  keyStages,
  startObserving,
  updateObserved,
} from '../../../src/apply/wait/observed.js'
import type { Reply, ServiceFailure } from '../../../src/client/failure.js'
import type { Observation } from '../../../src/plan/observation.js'
import {
  findDifference,
  isBlank,
  mergeMarks,
  type SiteMark,
  selectMark,
} from '../../../src/plan/site-mark.js'

const exact = { version: '11.2.0.5814' } as const
const rounded = { version: '11.2', isRounded: true } as const

test.each<[SiteMark, SiteMark]>([
  [{}, {}],
  [
    { ...exact, build: '7' },
    { ...exact, build: '7' },
  ],
  [rounded, rounded],
  [{ isRounded: true }, {}],
  [{ build: '7' }, { build: '7' }],
])('from %j, the site mark is %j', (told, mark) => {
  expect(selectMark({ ...told, more: 1 } as SiteMark)).toStrictEqual(mark)
})

test('an answer without version and build is blank', () => {
  expect([{}, exact, { build: '7' }, { ...exact, build: '7' }].map(isBlank)).toStrictEqual([
    true,
    false,
    false,
    false,
  ])
})

test.each<[SiteMark, SiteMark, ReturnType<typeof findDifference>]>([
  [exact, exact, undefined],
  [exact, {}, undefined],
  [{}, exact, undefined],
  [exact, { version: '11.2.0.5815' }, { kind: 'another-version', was: '11.2.0.5814', is: '11.2.0.5815' }],
  [exact, rounded, undefined],
  [rounded, exact, undefined],
  [rounded, { version: '11.3.0.1' }, { kind: 'another-version', was: '11.2', is: '11.3.0.1' }],
  [{ version: '11.3.0.1' }, rounded, { kind: 'another-version', was: '11.3.0.1', is: '11.2' }],
  [rounded, rounded, undefined],
  [rounded, { version: '11.2.1', isRounded: true }, { kind: 'another-version', was: '11.2', is: '11.2.1' }],
  [{ version: '11.2' }, exact, { kind: 'another-version', was: '11.2', is: '11.2.0.5814' }],
  [{ version: '11.2' }, { version: '11.2.0' }, undefined],
  [{ build: '7' }, { build: '8' }, { kind: 'another-build', was: '7', is: '8' }],
  [{ build: '7' }, { build: '7' }, undefined],
  [{ build: '7' }, exact, undefined],
  [exact, { ...exact, build: '7' }, undefined],
  [
    { ...exact, build: '7' },
    { version: '12', build: '8' },
    { kind: 'another-version', was: '11.2.0.5814', is: '12' },
  ],
])('%j and %j differ in %j', (known, told, difference) => {
  expect(findDifference(known, told)).toStrictEqual(difference)
})

test('differences are the same if they lead to the same mark', () => {
  const one = { kind: 'another-version', was: '11.1', is: '11.2' } as const
  expect(isSameDifference(one, { ...one, was: '10.9' })).toBe(true)
  expect(isSameDifference(one, { ...one, is: '11.3' })).toBe(false)
  expect(isSameDifference(one, { ...one, kind: 'another-build' })).toBe(false)
})

test.each<[SiteMark, SiteMark, SiteMark]>([
  [exact, rounded, exact],
  [rounded, exact, exact],
  [rounded, { version: '11.2.0', isRounded: true }, { version: '11.2.0', isRounded: true }],
  [rounded, {}, rounded],
  [{}, {}, {}],
  [{ ...exact, build: '7' }, {}, { ...exact, build: '7' }],
  [{ ...exact, build: '7' }, { build: '8' }, { ...exact, build: '8' }],
  [{ ...rounded, build: '7' }, exact, { ...exact, build: '7' }],
  [{ build: '7' }, rounded, { ...rounded, build: '7' }],
])('of %j and %j, %j is kept', (known, told, kept) => {
  expect(mergeMarks(known, told)).toStrictEqual(kept)
})

test('stages of the same name have different keys', () => {
  const stage = (name: string) => ({ name, state: 'completed' })
  const stages = ['X', 'usage statistics', 'X', 'Usage Statistics', 'X'].map(stage)
  expect([...keyStages(stages).keys()]).toStrictEqual([
    'X',
    'Usage statistics',
    'X (2)',
    'Usage statistics (2)',
    'X (3)',
  ])
})

/** Replies to polls, each with the milliseconds at which it came. */
type Looks = readonly (readonly [elapsedMs: number, Reply<Observation>])[]
const observe = (looks: Looks, marks: readonly SiteMark[] = [], isAnswered = false) =>
  looks.reduce(
    (seen, [elapsedMs, reply]) => updateObserved(seen, reply, elapsedMs),
    startObserving({ begun: false, marks, isAnswered }),
  )
const resultOf = (looks: Looks, marks: readonly SiteMark[] = [], isAnswered = false) =>
  findWaitResult(observe(looks, marks, isAnswered))
const answer = (kind: Observation['kind'], more: object = {}): Reply<Observation> => ({
  ok: true,
  value: { kind, warnings: [], stages: [], ...more } as Observation,
})
const failed = (failure: object): Reply<Observation> => ({ ok: false, error: failure as ServiceFailure })
const untilLocked = [0, 60_000, 120_000]

describe('without a valid token', () => {
  test.each([
    [{ kind: 'unauthorized', status: 200, code: 499, message: 'x' }],
    [{ kind: 'unauthorized', cause: 'sign-in' }],
  ])('after two minutes and three polls, a wait ends: %j', failure => {
    const looks = untilLocked.map(at => [at, failed(failure)] as const)
    expect(resultOf(looks)).toStrictEqual({ kind: 'not-allowed', failure })
    expect(resultOf(looks.map(([at, one]) => [at === 120_000 ? 119_999 : at, one]))).toBeUndefined()
    expect(resultOf(looks.filter(([at]) => at !== 60_000))).toBeUndefined()
    const answered = [looks[0], [1, answer('in-progress')], looks[1], looks[2]] as Looks
    expect(resultOf(answered)).toBeUndefined()
    expect(resultOf([...looks, [130_000, failed({ kind: 'trouble', status: 503 })]])).toBeUndefined()
  })

  test.each([[{ kind: 'redirected', to: 'elsewhere' }], [{ kind: 'trouble', status: 503 }]])(
    'is not assumed for %j',
    failure => {
      expect(resultOf(untilLocked.map(at => [at, failed(failure)]))).toBeUndefined()
    },
  )
})

test.each<[string, Looks, object | undefined]>([
  ['ready once', [[0, answer('ready')]], undefined],
  ['no response', [], undefined],
  [
    'ready twice',
    [
      [0, answer('ready')],
      [1, answer('ready')],
    ],
    { kind: 'ready' },
  ],
  [
    'empty for a minute and three polls',
    [
      [0, answer('not-configured')],
      [30_000, answer('not-configured')],
      [60_000, answer('not-configured')],
    ],
    { kind: 'not-begun', isShown: true },
  ],
  [
    'empty for almost a minute',
    [
      [0, answer('not-configured')],
      [30_000, answer('not-configured')],
      [59_999, answer('not-configured')],
    ],
    undefined,
  ],
  [
    'empty in two polls',
    [
      [0, answer('not-configured')],
      [90_000, answer('not-configured')],
    ],
    undefined,
  ],
  [
    'failed once, then empty',
    [
      [0, answer('failed')],
      [1, answer('not-configured')],
      [30_000, answer('not-configured')],
      [60_001, answer('not-configured')],
    ],
    { kind: 'not-begun', isShown: true },
  ],
  [
    'failed twice, then empty',
    [
      [0, answer('failed')],
      [1, answer('failed')],
      [2, answer('not-configured')],
      [30_000, answer('not-configured')],
      [60_002, answer('not-configured')],
    ],
    { kind: 'replaced', because: { kind: 'not-configured-any-more' } },
  ],
])('a wait that saw a site %s ends as %j', (_, looks, result) => {
  expect(resultOf(looks)).toStrictEqual(result)
})

const silent = answer('not-configured', { implied: true })
const notBegun = (isShown: boolean) => ({ kind: 'not-begun', isShown })

test.each<[string, Looks, object | undefined]>([
  ['empty for two minutes', [0, 60_000, 120_000].map(at => [at, answer('not-configured')]), notBegun(true)],
  ['empty for less', [0, 60_000, 119_999].map(at => [at, answer('not-configured')]), undefined],
  [
    'empty at first, and unavailable from then on',
    [
      ...[0, 1, 2].map(at => [at, answer('not-configured')] as const),
      [120_000, failed({ kind: 'trouble', status: 503 })],
    ],
    undefined,
  ],
  ['without a state for two minutes', [0, 60_000, 120_000].map(at => [at, silent]), notBegun(false)],
  [
    'as an emulator, empty for a second',
    [0, 500, 1000].map(at => [at, answer('not-configured', { version: '11.2', emulator: 'one' })]),
    notBegun(true),
  ],
])('after a complete response, a wait that saw a site %s ends as %j', (_, looks, result) => {
  expect(resultOf(looks, [], true)).toStrictEqual(result)
})

test('an answer that may be from another site resets nothing until two agree', () => {
  const [one, two] = [answer('ready', { version: '11.2.0' }), answer('ready', { version: '11.3.0' })]
  expect(
    resultOf([
      [0, one],
      [1, two],
    ]),
  ).toBeUndefined()
  expect(
    resultOf([
      [0, one],
      [1, two],
      [2, two],
    ]),
  ).toStrictEqual({ kind: 'ready' })
  expect(
    resultOf(
      [
        [0, two],
        [1, one],
        [2, two],
      ],
      [{ version: '11.2.0' }, { version: '11.2.0' }],
    ),
  ).toBeUndefined()
  expect(
    resultOf(
      [
        [0, two],
        [1, answer('ready')],
        [2, two],
      ],
      [{ version: '11.2.0' }, { version: '11.2.0' }],
    ),
  ).toBeUndefined()
})

describe('the start of a stage', () => {
  const began = (startTime: number, state = 'in_progress', more: object = {}) =>
    answer('in-progress', { stages: [{ name: 'Queue store', state, startTime, ...more }] })
  const other = { kind: 'another-start', stage: 'Queue store', was: 500, is: 400 }

  test.each<[string, readonly Reply<Observation>[], object | undefined]>([
    ['shows another site if two answers agree on it', [began(500), began(500), began(400)], other],
    ['is ignored if only one answer has it', [began(500), began(400)], undefined],
    ['says nothing if it is 0', [began(500), began(500), began(0)], undefined],
    ['may be from the same site if it is the newest time', [began(500), began(500), began(500)], undefined],
    [
      'is the newest time that was seen, or later: the stage began again',
      [began(500), began(500, 'in_progress', { lastUpdated: 600 }), began(600)],
      undefined,
    ],
    [
      'is before the newest time that was seen',
      [began(500), began(500, 'in_progress', { lastUpdated: 600 }), began(599)],
      { ...other, is: 599 },
    ],
    [
      'says nothing about a stage that has not started',
      [began(500), began(500), began(400, 'not_started')],
      undefined,
    ],
    [
      'is forgotten for a stage that goes back to its beginning',
      [began(500), began(500), began(500, 'not_started'), began(400)],
      undefined,
    ],
  ])('%s', (_, answers, difference) => {
    expect(observe(answers.map((one, nth) => [nth, one])).difference).toStrictEqual(difference)
  })
})
