import { type Course, course, type Scenario } from './scenario.js'

/** A past mistake, with a course that shows it if it comes back. */
export interface Case {
  readonly name: string
  /** The past behaviour. */
  readonly says: string
  readonly scenario: Scenario
  /** The required exit code of each run. */
  readonly ends: readonly (number | 'crashed')[]
}

/** Plays the course of a case, and lists its violations and wrong ends. */
export async function caseViolations({
  scenario,
  ends,
}: Case): Promise<{ readonly course: Course; readonly violations: readonly string[] }> {
  const played = await course(scenario)
  const codes = played.runs.map(({ exitCode }) => exitCode)
  const isAsItWas = codes.join() === ends.join()
  return {
    course: played,
    violations: [
      ...played.violations,
      ...(isAsItWas ? [] : [`the runs exited with ${codes.join(', ')} instead of ${ends.join(', ')}`]),
    ],
  }
}

const one = { machines: 'one', ends: 'ready' } as const
const detached = { ...one, options: { detach: true } } as const

/** All past mistakes. One or two faults are enough to detect each of them. */
export const cases: readonly Case[] = [
  {
    name: 'single-ready-ends-the-run',
    says: 'a run recorded its configuration as complete after a single response that said ready',
    scenario: { ...detached, faults: [{ at: 12, name: 'ahead' }] },
    ends: [3, 0, 0],
  },
  {
    name: 'single-failed-ends-the-run',
    says: 'a run exited with 5 if its first response said failed, even if the next one did not',
    scenario: { ...detached, faults: [{ at: 12, name: 'failing' }] },
    ends: [3, 0, 0],
  },
  {
    name: 'single-failed-counts-as-begun',
    says: 'a single response that said failed was recorded as begun; if nothing had begun, later runs exited with 6',
    scenario: {
      ...one,
      faults: [
        { at: 8, name: 'lost' },
        { at: 10, name: 'failing' },
      ],
    },
    ends: [4, 4],
  },
  {
    name: 'first-version-is-believed',
    says: 'a wait kept the version of its first response, and then took the site for another one',
    scenario: { ...one, faults: [{ at: 10, name: 'another' }] },
    ends: [0, 0],
  },
  {
    name: 'first-ready-ends-the-wait',
    says: 'a wait ended at the first response that said ready, which one node may say too early',
    scenario: { ...one, faults: [{ at: 10, name: 'ahead' }] },
    ends: [0, 0],
  },
  {
    name: 'late-request-is-not-recorded',
    says: 'a request that the service carried out after its run had given up was never recorded',
    scenario: { ...one, faults: [{ at: 8, name: 'late' }] },
    ends: [4, 4, 0],
  },
  {
    name: 'failed-intent-is-kept',
    says: 'a run that could not write its submission intent left it behind, and every later run exited with 4',
    scenario: { ...one, faults: [{ at: 6, name: 'unwritable' }] },
    ends: [74, 0],
  },
  {
    name: 'stored-intent-is-not-withdrawn',
    says: 'an intent was stored although its write reported an error, was not withdrawn, and no later run sent anything',
    scenario: { ...one, faults: [{ at: 6, name: 'unwritable-after' }] },
    ends: [74, 0],
  },
  {
    name: 'own-write-is-taken-for-anothers',
    says: 'after a write that was stored although it reported an error, the run took its site for taken over',
    scenario: { ...one, faults: [{ at: 9, name: 'unwritable-after' }] },
    ends: [0, 0],
  },
  {
    name: 'status-500-counts-as-rejection',
    says: 'an error body with status 500 counted as a rejection, although the service continued',
    scenario: { ...one, faults: [{ at: 8, name: 'refused-in-trouble' }] },
    ends: [0, 0],
  },
  {
    name: 'created-folder-is-lost',
    says: 'a run died while it created the folder, and a power loss destroyed versions that the next run had reported',
    scenario: {
      ...one,
      disk: true,
      faults: [
        { at: 4, name: 'crash-before' },
        { at: 40, name: 'power-gone' },
      ],
    },
    ends: ['crashed', 'crashed', 0],
  },
]
