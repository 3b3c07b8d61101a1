import { type Adoption, adoptSite } from '../../src/apply/adopt-site.js'
import { withRecord } from '../../src/apply/journal.js'
import type { Submission, SubmissionState } from '../../src/plan/submission.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import type { StateStore } from '../../src/state/ports.js'
import { addingBy, failingFrom, someState } from '../support/some-state.js'

const url = 'https://gis.example.org/arcgis/admin'
const now = () => Date.parse('2026-03-04T05:06:07Z')
const manifest = `sha256:${'0'.repeat(64)}`
const adopt = (state: StateStore, changes: Partial<Adoption> = {}) =>
  adoptSite(
    { state, now, nonce: () => 'nonce' },
    {
      parts: ['/spec'],
      replaces: 'nothing',
      record: (_, appliedAt) => ({
        organization: { appliedAt, asserted: true, manifest, value: { logLevel: 'INFO' } },
        policy: undefined,
        assertions: [{ pointer: '/spec', assertedAt: appliedAt }],
      }),
      ...changes,
    },
  )

/** State with a submission in the given state, if any, and with a recorded organization if `origin` is given. */
async function stateWith(
  submission: SubmissionState | undefined,
  origin?: 'applied' | 'asserted',
): Promise<StateStore> {
  const state = someState(url, now)
  const taken = await state.take('apply')
  if (taken.kind !== 'held') throw new Error(taken.kind)
  const asserted = origin === 'asserted' && ({ asserted: true } as const)
  const organization = { appliedAt: new Date(now()).toISOString(), ...asserted, manifest, value: {} }
  const sent: Submission | undefined = submission && {
    generation: 3,
    nonce: 'first',
    state: submission,
    intendedAt: organization.appliedAt,
    changedAt: organization.appliedAt,
    by: { host: 'runner', pid: 1 },
    deadlineMs: 1000,
    organization,
  }
  await taken.held.write({ type: 'released' }, ({ record }) => ({
    ...(sent && { submission: sent }),
    record: origin ? withRecord(record, { organization }) : record,
  }))
  await taken.held.release({ type: 'released' })
  return state
}

test.each([undefined, 'not-sent', 'rejected', 'cleared'] as const)(
  'a ready site that was never sent a request is adopted if its submission is %s',
  async submission => {
    const state = await stateWith(submission)
    expect(await adopt(state)).toMatchObject({ kind: 'adopted', assertedAt: '2026-03-04T05:06:07.000Z' })
    const kept = await state.read()
    expect(kept.ok && kept.value).toMatchObject({
      submission: {
        state: 'ready',
        nonce: 'nonce',
        generation: submission === undefined ? 1 : 4,
        organization: { asserted: true },
      },
      record: { organization: { asserted: true, manifest, value: { logLevel: 'INFO' } } },
    })
    expect(kept.ok && kept.value?.lock).toBeUndefined()
    const history = await state.history()
    expect(history.ok && history.value.map(({ entry }) => entry.type).slice(-3)).toStrictEqual([
      'locked',
      'adopted',
      'released',
    ])
    expect(await adopt(state)).toStrictEqual({ kind: 'recorded-already', asserted: true })
  },
)

test.each([
  ['intent', 'pending'],
  ['acknowledged', 'pending'],
  ['unknown', 'pending'],
  ['begun', 'recorded-already'],
  ['ready', 'recorded-already'],
  ['failed', 'recorded-already'],
] as const)('a site whose submission is %s is not adopted: %s', async (submission, kind) => {
  const state = await stateWith(submission)
  const before = await state.history()
  expect(await adopt(state)).toMatchObject({ kind })
  expect(await state.history()).toStrictEqual(before)
})

test('a site that Landform applied, or that another run has locked, is not adopted', async () => {
  expect(await adopt(await stateWith(undefined, 'applied'))).toStrictEqual({
    kind: 'recorded-already',
    asserted: false,
  })
  const state = someState(url, now)
  await state.take('apply')
  expect(await adopt(state)).toMatchObject({ kind: 'locked', lock: { purpose: 'apply' } })
})

describe('if the state fails,', () => {
  const failure = {
    kind: 'unwritable',
    where: 'here',
    reason: { kind: 'system', message: 'ENOSPC' },
  } as const
  const notRecorded = { kind: 'not-recorded', failure }
  const lost = async () => ({ ok: false, error: failure }) as const

  test('an adoption that cannot read it records nothing', async () => {
    expect(await adopt({ ...someState(url, now), read: lost })).toStrictEqual(notRecorded)
  })

  test.each([
    ['the adoption', 2, notRecorded],
    ['the lock', 1, notRecorded],
    ['the release', 3, { kind: 'adopted', assertedAt: '2026-03-04T05:06:07.000Z' }],
  ])('a failed write of %s is reported, unless the adoption is already stored', async (_, write, adopted) => {
    expect(await adopt(someState(url, now, failingFrom(write, failure)))).toMatchObject(adopted)
  })

  test('the release stores an adoption whose own write failed', async () => {
    const { result, entries } = await adoptWithFailing(write => write === 2)
    expect(result.kind).toBe('adopted')
    expect(entries).toStrictEqual(['locked', 'released'])
  })

  async function adoptWithFailing(fails: (write: number) => boolean) {
    let writes = 0
    const backend = addingBy(memoryBackend(), async (series, version) => {
      writes += 1
      return fails(writes) ? { ok: false, error: failure } : series.add(version)
    })
    const state = someState(url, now, backend)
    const result = await adopt(state)
    const history = await state.history()
    return { result, entries: history.ok ? history.value.map(({ entry }) => entry.type) : [] }
  }
})

test('a site that another run applied after it was read is not adopted', async () => {
  const state = await stateWith('ready', 'applied')
  const stale = { ...state, read: async () => ({ ok: true, value: undefined }) as const }
  expect(await adopt(stale)).toStrictEqual({ kind: 'recorded-already', asserted: false })
})

test('the lock says that the site is being adopted', async () => {
  const purposes: string[] = []
  const state = someState(url, now)
  const taking: typeof state.take = (purpose, ...more) => {
    purposes.push(purpose)
    return state.take(purpose, ...more)
  }
  await adopt({ ...state, take: taking })
  expect(purposes).toStrictEqual(['adopt'])
})

test('a site without a record is adopted from its manifest however its request ended, and keeps its generation', async () => {
  const state = await stateWith('failed')
  const adopted = await adopt(state, { replaces: 'assertion' })
  expect(adopted).toMatchObject({ kind: 'adopted' })
  const kept = await state.read()
  expect(kept.ok && kept.value?.submission).toMatchObject({ state: 'ready', nonce: 'first', generation: 3 })
})

test.each([
  [undefined, 'assertion', { kind: 'adopted' }],
  [undefined, 'parts', { kind: 'adopted' }],
  ['asserted', 'nothing', { kind: 'recorded-already', asserted: true }],
  ['asserted', 'assertion', { kind: 'adopted' }],
  ['asserted', 'parts', { kind: 'adopted' }],
  ['applied', 'assertion', { kind: 'recorded-already', asserted: false }],
  ['applied', 'parts', { kind: 'adopted' }],
] as const)(
  'for a site whose organization is recorded as %s, an adoption that replaces %s results in %j',
  async (origin, replaces, result) => {
    expect(await adopt(await stateWith(undefined, origin), { replaces })).toMatchObject(result)
  },
)

test.each([{}, { by: 'ada' }, { reason: 'renewed' }, { by: 'ada', reason: 'renewed' }])(
  'the journal records who adopted the site and why: %j',
  async who => {
    const state = someState(url, now)
    await adopt(state, who)
    const history = await state.history()
    expect(history.ok && history.value.find(({ entry }) => entry.type === 'adopted')?.entry).toStrictEqual({
      type: 'adopted',
      ...who,
      parts: ['/spec'],
    })
  },
)

test.each<[string, 'applied' | 'asserted', Adoption['record']]>([
  [
    'only the policy',
    'asserted',
    ({ organization }) => ({ organization, policy: undefined, assertions: [] }),
  ],
  ['no organization', 'asserted', () => ({ organization: undefined, policy: undefined, assertions: [] })],
  [
    'a part of what Landform applied',
    'applied',
    (_, appliedAt) => ({
      organization: { appliedAt, manifest, value: { logLevel: 'INFO' } },
      policy: undefined,
      assertions: [],
    }),
  ],
])('adopting %s leaves the submission as it is', async (_, origin, record) => {
  const state = await stateWith('begun', origin)
  const before = await state.read()
  expect(await adopt(state, { replaces: 'parts', record })).toMatchObject({ kind: 'adopted' })
  const after = await state.read()
  expect(after.ok && after.value?.submission).toStrictEqual(before.ok && before.value?.submission)
})

test('applying a part removes the assertion about it', () => {
  const assertedAt = new Date(now()).toISOString()
  const record = {
    serial: 4,
    organization: { appliedAt: assertedAt, manifest, value: {} },
    assertions: ['/spec/license', '/spec/upgrade'].map(pointer => ({
      pointer: pointer as '/spec',
      assertedAt,
    })),
  }
  const applied = withRecord(record, {
    policy: { appliedAt: assertedAt, value: { nodeAffinity: {}, tolerations: [] } },
  })
  expect(applied.assertions?.map(({ pointer }) => pointer)).toEqual(['/spec/license'])
  expect(withRecord(applied, { organization: undefined })).not.toHaveProperty('assertions')
})
