import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { appendSegment, formatDotted, formatIndices } from '../diagnostics/pointer.js'
import { parseDurationMs } from '../schema/duration.js'
import type { Expect } from '../schema/generated/test.js'
import type { JsonObject, JsonValue } from '../schema/json-schema.js'
import { findDifference, findSetDifference, type ValueDifference } from './compare.js'
import { redactValue } from './redact-value.js'
import type { TestRun } from './site-test.js'
import type { TestResult } from './test-result.js'
import { formatValueLines } from './value-lines.js'

/** An expectation that does not hold. */
export interface TestFailure extends ValueDifference {
  /** Points to the expectation; has no place yet. */
  readonly diagnostic: Diagnostic
}

/** Lists the expectations of a run that do not hold. */
export function findTestFailures(
  test: string,
  { pointer, expect }: TestRun,
  seen: TestResult,
): readonly TestFailure[] {
  return Object.keys(expect).flatMap(key => {
    const what = key as keyof Expect
    const difference = expectationChecks[what](expect, seen)
    if (difference === undefined) return []
    const at = appendSegment(pointer, what)
    return [
      {
        diagnostic: diagnose('test/failed', at, {
          test,
          what,
          problem: describeDifference(what, difference, seen),
        }),
        ...difference,
      },
    ]
  })
}

type ExpectationCheck = (expect: Expect, seen: TestResult) => ValueDifference | undefined

const expectationChecks: { readonly [What in keyof Expect]-?: ExpectationCheck } = {
  diagnostics: ({ diagnostics = [] }, seen) =>
    findSetDifference(diagnostics.map(formatAt), seen.diagnostics.map(summarizeDiagnostic)),
  policy: ({ policy = [] }, seen) => findSetDifference(policy, seen.policy),
  plan: ({ plan = {}, plan: { immutable } = {} }, seen) =>
    compareIfReached(plan, seen.plan, known =>
      findDifference(
        { ...plan, ...(immutable && { immutable: immutable.map(formatIndices) }) },
        { ...known },
      ),
    ),
  requests: ({ requests = [] }, seen) =>
    compareIfReached(requests, seen.requests, known => findDifference(requests, known)),
  outcome: ({ outcome = '' }, seen) =>
    compareIfReached(outcome, seen.outcome, known => findDifference(outcome, known)),
  exitCode: ({ exitCode = 0 }, seen) =>
    compareIfReached(exitCode, seen.exitCode, known => findDifference(exitCode, known)),
  configured: ({ configured = 0 }, seen) =>
    compareIfReached(configured, seen.configured, known => findDifference(configured, known)),
  events: ({ events = [] }, seen) =>
    compareIfReached(events, seen.events, known =>
      isInOrder(events, known) ? undefined : { expected: events, actual: dropRepetitions(known) },
    ),
  within: ({ within = '0s' }, seen) =>
    compareIfReached(within, seen.elapsedMs, known =>
      known <= parseDurationMs(within)
        ? undefined
        : { expected: [`at most ${within}`], actual: [`${Math.ceil(known / 1000)}s`] },
    ),
}

/** Compares a result; if the run did not reach it, only the expected value is shown. */
function compareIfReached<T>(
  expected: JsonValue,
  value: T | undefined,
  compare: (value: T) => ValueDifference | undefined,
): ValueDifference | undefined {
  return value === undefined
    ? { expected: formatValueLines(redactValue(expected)), actual: [] }
    : compare(value)
}

/** Explains why a run got no further, or ended as it did. */
function explainEnd({ diagnostics, plan, outcome }: TestResult): string | undefined {
  const said = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, pointer }) => (pointer === '' ? code : `${code} at ${formatDotted(pointer)}`))
  const more = said.length > 2 ? `, and ${said.length - 2} more` : ''
  if (said.length > 0) return `the manifest is not valid: ${said.slice(0, 2).join(', ')}${more}`
  if (plan === undefined) return 'no plan was made'
  if (plan.obstacle !== undefined) return `the plan is blocked: ${plan.obstacle}`
  if (outcome !== undefined) return `the outcome is ${outcome}`
  return plan.immutable.length > 0
    ? `the plan changes immutable fields: ${plan.immutable.join(', ')}`
    : undefined
}

/** Formats an expected place, which may have its indices between dots. */
function formatAt(expected: JsonObject): JsonObject {
  const { at } = expected
  return typeof at === 'string' ? { ...expected, at: formatIndices(at) } : expected
}

function summarizeDiagnostic({ code, severity, pointer }: Diagnostic): JsonValue {
  return { code, at: formatDotted(pointer), severity }
}

function isInOrder(wanted: readonly string[], events: readonly string[]): boolean {
  let at = 0
  for (const event of events) if (event === wanted[at]) at += 1
  return at === wanted.length
}

/** Drops repetitions: progress events come many times. */
function dropRepetitions(events: readonly string[]): readonly string[] {
  return events.filter((event, index) => event !== events[index - 1])
}

function describeDifference(
  what: keyof Expect,
  { expected, actual }: ValueDifference,
  seen: TestResult,
): string {
  const [first = '', ...more] = expected
  const [found, ...others] = actual
  const because = found === undefined || what === 'exitCode' ? explainEnd(seen) : undefined
  const problem =
    found === undefined
      ? 'was never reached'
      : more.length + others.length === 0
        ? `is ${found}, not ${first}`
        : 'differs from the result'
  return because === undefined ? problem : `${problem}: ${because}`
}
