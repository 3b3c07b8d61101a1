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
      ...(isAsItWas ? [] : [`the runs ended with ${codes.join(', ')}, and should with ${ends.join(', ')}`]),
    ],
  }
}

const one = { machines: 'one', ends: 'ready' } as const
const detached = { ...one, options: { detach: true } } as const

/** All past mistakes. One or two faults are enough to detect each of them. */
export const cases: readonly Case[] = [
  {
    name: 'one-look-is-believed',
    says: 'a run that found the site ready took that one look for the end of a configuration of ours',
    scenario: { ...detached, faults: [{ at: 12, name: 'ahead' }] },
    ends: [3, 0, 0],
  },
  {
    name: 'one-failed-look-is-believed',
    says: 'a run whose first look said failed ended with 5, whatever the site said a moment later',
    scenario: { ...detached, faults: [{ at: 12, name: 'failing' }] },
    ends: [3, 0, 0],
  },
  {
    name: 'one-failed-look-is-a-beginning',
    says: 'one look that said failed was noted as a beginning, and where none was every later run ended with 6',
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
    name: 'the-first-version-is-believed',
    says: 'a wait took the version that its first look told for that of the site, and the site for another one',
    scenario: { ...one, faults: [{ at: 10, name: 'another' }] },
    ends: [0, 0],
  },
  {
    name: 'ready-is-believed-at-once',
    says: 'a wait believed the first look that said ready, which one node may say too early',
    scenario: { ...one, faults: [{ at: 10, name: 'ahead' }] },
    ends: [0, 0],
  },
  {
    name: 'what-came-late-is-not-recorded',
    says: 'a request that was carried out after its run had given up was never recorded as ours',
    scenario: { ...one, faults: [{ at: 8, name: 'late' }] },
    ends: [4, 4, 0],
  },
  {
    name: 'a-promise-is-left-behind',
    says: 'a promise that could not be written stayed with the end of the run, and every later run ended with 4',
    scenario: { ...one, faults: [{ at: 6, name: 'unwritable' }] },
    ends: [74, 0],
  },
  {
    name: 'a-promise-stands-all-the-same',
    says: 'a promise whose write was said to fail stood there, was not taken back, and nobody sent anything any more',
    scenario: { ...one, faults: [{ at: 6, name: 'unwritable-after' }] },
    ends: [74, 0],
  },
  {
    name: 'an-own-write-is-taken-for-anothers',
    says: 'a write that was said to fail and stood there made the run give the site up as taken over',
    scenario: { ...one, faults: [{ at: 9, name: 'unwritable-after' }] },
    ends: [0, 0],
  },
  {
    name: 'a-no-in-trouble-is-believed',
    says: 'an error body with a status of 500 was taken for a no, though the service went on',
    scenario: { ...one, faults: [{ at: 8, name: 'refused-in-trouble' }] },
    ends: [0, 0],
  },
  {
    name: 'a-made-folder-is-lost',
    says: 'a run died while it made the folder; the next one reported versions that a loss of power took with it',
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
