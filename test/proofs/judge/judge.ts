import { findLie } from './claims.js'
import type { Facts } from './facts.js'

/** A guarantee of the program, and a function that lists its violations. */
export interface Invariant {
  readonly sentence: string
  readonly judgedBy: string
  find(facts: Facts): readonly string[]
}

/** The invariants, stated once for every check. */
export const invariants = {
  I1: {
    sentence:
      'A site accepts `configure` at most once, and gets a second one only after proof that the first changed nothing.',
    judgedBy: 'counters of the service against the submission intents in the state',
    find: findSecondConfigure,
  },
  I2: {
    sentence:
      'An exit code is true: 0 means that the site is ready, and recorded with the values of the manifest.',
    judgedBy: 'the exit code and the report against the service, the state and the requests of the run',
    find: findFalseCode,
  },
  I3: {
    sentence: 'No secret appears in any channel, in any encoding.',
    judgedBy: 'a scan of everything that was printed, written, sent or kept in memory',
    find: ({ secrets = [] }) => secrets,
  },
  I4: {
    sentence:
      'Each version of the state is absent or complete, and a version that was reported as made is never lost.',
    judgedBy: 'the stored texts',
    find: findDamage,
  },
  I5: {
    sentence: 'One more apply completes the site, or names the next command. No site is ever stuck.',
    judgedBy: 'the last of several runs, and what a run printed',
    find: ({ run }) => findMissingWords(run),
  },
  I6: {
    sentence: 'A command that only reads changes nothing.',
    judgedBy: 'counters of the service',
    find: ({ run }) =>
      (run?.command === 'plan' || run?.command === 'status') && (run.changes ?? 0) > 0
        ? [`${run.command} sent ${run.changes} requests that change a site`]
        : [],
  },
  I7: {
    sentence: 'No request reaches any server but the bound site.',
    judgedBy: 'the requests at other servers',
    find: ({ elsewhere = [] }) => elsewhere,
  },
  I8: {
    sentence: 'The same seed gives the same log, whatever the clock shows.',
    judgedBy: 'a second run',
    find: ({ logs: [first, second] = [[], []] }) => findDifference(first, second),
  },
} as const satisfies Readonly<Record<string, Invariant>>

const rows: readonly (readonly [string, Invariant])[] = Object.entries(invariants)

/** Lists the violations in facts, each with its invariant. Absent facts violate nothing. */
export function judge(facts: Facts): readonly string[] {
  return rows.flatMap(([id, { find }]) => find(facts).map(text => `${id}: ${text}`))
}

/** States of a submission that prove that it had no effect. */
const proofs: readonly string[] = ['not-sent', 'rejected', 'cleared']

function findSecondConfigure({ site, state }: Facts): readonly string[] {
  const found: string[] = []
  const journal = state?.journal ?? ['intent']
  const intents = journal.filter(step => step === 'intent').length
  if (site !== undefined) {
    const { accepted, received, doubled = 0 } = site
    if (accepted > 1) found.push(`${accepted} configurations were accepted`)
    if (received - doubled > intents) found.push(`${received} requests arrived, with ${intents} intents`)
  }
  for (const [at, step] of journal.entries())
    if (step === 'intent' && at > 0 && !proofs.includes(journal[at - 1] ?? ''))
      found.push(`another intent after ${journal[at - 1]}, which proves nothing`)
  return found
}

function findFalseCode(facts: Facts): readonly string[] {
  const { run } = facts
  if (run === undefined) return []
  const { exitCode, outcome, report, changes = 0 } = run
  const found: string[] = []
  const lie = findLie(facts)
  if (lie !== undefined) found.push(`${exitCode} (${outcome}), but ${lie}`)
  if (report?.exitCode !== undefined && report.exitCode !== exitCode)
    found.push(`the report has exit code ${report.exitCode}, and the process exited with ${exitCode}`)
  if (report?.sent === 'nothing' && changes > 0)
    found.push(`the report claims that nothing was sent, and ${changes} requests arrived`)
  return found
}

function findDamage({ state, versions }: Facts): readonly string[] {
  const found = state?.damage === undefined ? [] : [state.damage]
  if (versions === undefined) return found
  const { kept, made, textOf } = versions
  if (!kept.ok) return [...found, kept.error.reason.kind]
  for (const [at, { serial, text }] of kept.value.entries())
    if (serial !== at + 1 || text !== textOf(serial)) found.push(`version ${at + 1} is torn`)
  if (kept.value.length < made) found.push(`version ${made} was reported as made, and is missing`)
  return found
}

function findMissingWords(run: Facts['run']): readonly string[] {
  if (run?.printed === undefined || run.exitCode === 0) return []
  const { exitCode, printed } = run
  const wanted = exitCode === 130 || exitCode === 143 ? /interrupted/ : /^next:(?: |$)|^\S+:\d+:\d+/m
  return wanted.test(printed) ? [] : [`no next command after exit code ${exitCode}: ${printed}`]
}

function findDifference(first: readonly string[], second: readonly string[]): readonly string[] {
  const lines = Array.from({ length: Math.max(first.length, second.length) }, (_, at) => at)
  const at = lines.find(line => first[line] !== second[line])
  return at === undefined ? [] : [`line ${at} is ${second[at]}, not ${first[at]}`]
}

/** Lists why the last of several runs did not complete the site although it met no fault (I5). */
export function findStuck({ site, run }: Facts): readonly string[] {
  if (site === undefined || run === undefined) return []
  const isFailed = site.accepted > 0 && site.state === 'failed'
  const wanted = isFailed ? 5 : site.accepted > 0 ? 0 : 4
  if (run.exitCode === wanted) return []
  const what = isFailed ? 'failed' : site.accepted > 0 ? 'was accepted' : 'was never accepted'
  return [`I5: the configuration ${what}, and the last run exited with ${run.exitCode}`]
}
