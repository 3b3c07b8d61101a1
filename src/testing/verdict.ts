import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { child, dotted } from '../diagnostics/pointer.js'
import { durationMs } from '../schema/duration.js'
import type { JsonValue } from '../schema/json-schema.js'
import type { ExpectDocument } from '../schema/test-schema.js'
import { type Difference, differenceOf, setDifferenceOf } from './compare.js'
import type { Happening } from './happening.js'
import { redactedValue } from './redacted-value.js'
import type { TestRun } from './site-test.js'
import { valueLines } from './value-lines.js'

/** An expectation that does not hold. */
export interface TestFailure extends Difference {
  /** Points to the expectation; has no place yet. */
  readonly diagnostic: Diagnostic
}

/** Lists the expectations of a run that do not hold. */
export function failuresOf(
  test: string,
  { pointer, expect }: TestRun,
  seen: Happening,
): readonly TestFailure[] {
  return Object.keys(expect).flatMap(key => {
    const what = key as keyof ExpectDocument
    const difference = judges[what](expect, seen)
    if (difference === undefined) return []
    const at = child(pointer, what)
    return [
      {
        diagnostic: diagnose('test/failed', at, { test, what, problem: problemOf(what, difference, seen) }),
        ...difference,
      },
    ]
  })
}

type Judge = (expect: ExpectDocument, seen: Happening) => Difference | undefined

const judges: { readonly [What in keyof ExpectDocument]-?: Judge } = {
  diagnostics: ({ diagnostics = [] }, seen) => setDifferenceOf(diagnostics, seen.diagnostics.map(finding)),
  policy: ({ policy = [] }, seen) => setDifferenceOf(policy, seen.policy),
  plan: ({ plan = {} }, seen) => reached(plan, seen.plan, known => differenceOf(plan, { ...known })),
  requests: ({ requests = [] }, seen) =>
    reached(requests, seen.requests, known => differenceOf(requests, known)),
  outcome: ({ outcome = '' }, seen) => reached(outcome, seen.outcome, known => differenceOf(outcome, known)),
  exitCode: ({ exitCode = 0 }, seen) =>
    reached(exitCode, seen.exitCode, known => differenceOf(exitCode, known)),
  configured: ({ configured = 0 }, seen) =>
    reached(configured, seen.configured, known => differenceOf(configured, known)),
  events: ({ events = [] }, seen) =>
    reached(events, seen.events, known =>
      isInOrder(events, known) ? undefined : { expected: events, actual: brief(known) },
    ),
  within: ({ within = '0s' }, seen) =>
    reached(within, seen.elapsedMs, known =>
      known <= durationMs(within)
        ? undefined
        : { expected: [`at most ${within}`], actual: [`${Math.ceil(known / 1000)}s`] },
    ),
}

/** Compares a result; if the run did not reach it, only the expected value is shown. */
function reached<T>(
  expected: JsonValue,
  value: T | undefined,
  compare: (value: T) => Difference | undefined,
): Difference | undefined {
  return value === undefined ? { expected: valueLines(redactedValue(expected)), actual: [] } : compare(value)
}

/** Explains why a run got no further, or ended as it did. */
function whyOf({ diagnostics, plan, outcome }: Happening): string | undefined {
  const said = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, pointer }) => (pointer === '' ? code : `${code} at ${dotted(pointer)}`))
  const more = said.length > 2 ? `, and ${said.length - 2} more` : ''
  if (said.length > 0) return `the manifest is not valid: ${said.slice(0, 2).join(', ')}${more}`
  if (plan === undefined) return 'no plan was made'
  if (plan.obstacle !== undefined) return `the plan is blocked: ${plan.obstacle}`
  if (outcome !== undefined) return `the outcome is ${outcome}`
  return plan.immutable.length > 0
    ? `the plan changes immutable fields: ${plan.immutable.join(', ')}`
    : undefined
}

function finding({ code, severity, pointer }: Diagnostic): JsonValue {
  return { code, at: dotted(pointer), severity }
}

function isInOrder(wanted: readonly string[], events: readonly string[]): boolean {
  let at = 0
  for (const event of events) if (event === wanted[at]) at += 1
  return at === wanted.length
}

/** Drops repetitions: progress events come many times. */
function brief(events: readonly string[]): readonly string[] {
  return events.filter((event, index) => event !== events[index - 1])
}

function problemOf(what: keyof ExpectDocument, { expected, actual }: Difference, seen: Happening): string {
  const [first = '', ...more] = expected
  const [found, ...others] = actual
  const because = found === undefined || what === 'exitCode' ? whyOf(seen) : undefined
  const problem =
    found === undefined
      ? 'was never reached'
      : more.length + others.length === 0
        ? `is ${found}, not ${first}`
        : 'differs from the result'
  return because === undefined ? problem : `${problem}: ${because}`
}
