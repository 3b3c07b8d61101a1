import { adoptSite } from '../../src/apply/adopt-site.js'
import { withRecord } from '../../src/apply/journal.js'
import type { Submission, SubmissionState } from '../../src/plan/submission.js'
import type { StateStore } from '../../src/state/ports.js'
import { someState } from '../support/some-state.js'

const url = 'https://gis.example.org/arcgis/admin'
const now = () => Date.parse('2026-03-04T05:06:07Z')
const manifest = `sha256:${'0'.repeat(64)}`
const adopt = (state: StateStore) =>
  adoptSite({ state, now, nonce: () => 'nonce' }, { value: { logLevel: 'INFO' }, manifest })

/** State with a submission, and with an organization where it says so. */
async function stateWith(submission: SubmissionState | undefined, isApplied = false): Promise<StateStore> {
  const state = someState(url, now)
  const taken = await state.take('apply')
  if (taken.kind !== 'held') throw new Error(taken.kind)
  const organization = { appliedAt: new Date(now()).toISOString(), manifest, value: {} }
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
    record: isApplied ? withRecord(record, { organization }) : record,
  }))
  await taken.held.release({ type: 'released' })
  return state
}

test.each([undefined, 'not-sent', 'rejected', 'cleared'] as const)(
  'a site whose submission is %s is adopted, as one that is ready and was never sent',
  async submission => {
    const state = await stateWith(submission)
    expect(await adopt(state)).toEqual({ kind: 'adopted', assertedAt: '2026-03-04T05:06:07.000Z' })
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
    expect(history.ok && history.value.map(({ entry }) => entry.type).slice(-3)).toEqual([
      'locked',
      'adopted',
      'released',
    ])
    expect(await adopt(state)).toEqual({ kind: 'recorded-already', asserted: true })
  },
)

test.each([
  ['intent', 'pending'],
  ['acknowledged', 'pending'],
  ['unknown', 'pending'],
  ['begun', 'recorded-already'],
  ['ready', 'recorded-already'],
  ['failed', 'recorded-already'],
] as const)('a site whose submission is %s is not: %s', async (submission, kind) => {
  const state = await stateWith(submission)
  const before = await state.history()
  expect(await adopt(state)).toMatchObject({ kind })
  expect(await state.history()).toEqual(before)
})

test('a site that Landform applied, or that another run has, is not', async () => {
  expect(await adopt(await stateWith(undefined, true))).toEqual({ kind: 'recorded-already', asserted: false })
  const state = someState(url, now)
  await state.take('apply')
  expect(await adopt(state)).toMatchObject({ kind: 'locked', lock: { purpose: 'apply' } })
})
