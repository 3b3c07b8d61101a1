import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { quote } from '../diagnostics/words.js'
import { isSecretName } from '../manifest/may-be-secret.js'
import { parseDurationMs } from '../schema/fields.js'
import type { Expect } from '../schema/generated/test.js'
import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'
import { appendSegment, formatDotted, formatIndices } from '../schema/pointer.js'
import type { TestRun } from './load-tests.js'

/** The results of a run, as far as it got; absent for steps it did not reach. */
export interface TestResult {
  /** All diagnostics of the manifest. */
  readonly diagnostics: readonly Diagnostic[]
  /** The names of the violated policy rules. */
  readonly policy: readonly string[]
  readonly plan?: {
    readonly actions: readonly JsonObject[]
    /** Paths of immutable fields that were edited. */
    readonly immutable: readonly string[]
    /** The code of the reason, if no plan is possible. */
    readonly obstacle?: string
  }
  /** The requests of this run, except those that only read. */
  readonly requests?: readonly JsonObject[]
  readonly outcome?: string
  readonly exitCode?: number
  /** The number of `configure` requests that the site accepted, in all runs of the test so far. */
  readonly configured?: number
  readonly events?: readonly string[]
  /** The duration of the apply, on the clock of the emulator. */
  readonly elapsedMs?: number
}

/** An expectation that is not met. */
export interface TestFailure extends ValueDifference {
  /** Points to the expectation; has no place yet. */
  readonly diagnostic: Diagnostic
}

/** Lists the expectations of a run that are not met. */
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
    findSetDifference(
      diagnostics.map(formatAt),
      seen.diagnostics.map(({ code, severity, pointer }) => ({ code, at: formatDotted(pointer), severity })),
    ),
  policy: ({ policy = [] }, seen) => findSetDifference(policy, seen.policy),
  plan: ({ plan = {}, plan: { immutable } = {} }, seen) =>
    compareIfReached(plan, seen.plan, known =>
      findDifference(
        { ...plan, ...(immutable && { immutable: immutable.map(formatIndices) }) },
        { ...known },
      ),
    ),
  requests: compareAsIs('requests'),
  outcome: compareAsIs('outcome'),
  exitCode: compareAsIs('exitCode'),
  configured: compareAsIs('configured'),
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

function compareAsIs(what: 'requests' | 'outcome' | 'exitCode' | 'configured'): ExpectationCheck {
  return ({ [what]: expected = null }, { [what]: value }) =>
    compareIfReached(expected, value, known => findDifference(expected, known))
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

/** Explains why a run stopped, or how it ended. */
function explainEnd({ diagnostics, plan, outcome }: TestResult): string | undefined {
  const said = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, pointer }) => (pointer === '' ? code : `${code} at ${formatDotted(pointer)}`))
  const more = said.length > 2 ? `, and ${said.length - 2} more` : ''
  if (said.length > 0) return `the manifest is not valid: ${said.slice(0, 2).join(', ')}${more}`
  if (plan === undefined) return 'no plan was made'
  if (plan.obstacle !== undefined) return `the plan is blocked: ${plan.obstacle}`
  if (outcome !== undefined) return `outcome: ${outcome}`
  return plan.immutable.length > 0
    ? `the plan changes immutable fields: ${plan.immutable.join(', ')}`
    : undefined
}

/** Rewrites the indices in an expected path, which may be written between dots. */
function formatAt(expected: JsonObject): JsonObject {
  const { at } = expected
  return typeof at === 'string' ? { ...expected, at: formatIndices(at) } : expected
}

function isInOrder(wanted: readonly string[], events: readonly string[]): boolean {
  let at = 0
  for (const event of events) if (event === wanted[at]) at += 1
  return at === wanted.length
}

/** Drops consecutive repetitions, such as those of progress events. */
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
      ? `the run did not reach ${quote(what)}`
      : more.length + others.length === 0
        ? `expected ${quote(what)} ${first}, got ${found}`
        : `${quote(what)} differs from the result`
  return because === undefined ? problem : `${problem} (${because})`
}

/** The expected and the actual value as lines of a diff. */
export interface ValueDifference {
  readonly expected: readonly string[]
  readonly actual: readonly string[]
}

/** Compares two values; `undefined` if they are equal. */
function findDifference(expected: JsonValue, actual: JsonValue): ValueDifference | undefined {
  const seen = projectValue(expected, actual)
  if (isSame(expected, seen)) return undefined
  return { expected: formatValueLines(redactValue(expected)), actual: formatValueLines(seen) }
}

/** Compares two lists in any order; every element of the actual list must be expected. */
function findSetDifference(
  expected: readonly JsonValue[],
  actual: readonly JsonValue[],
): ValueDifference | undefined {
  const left = [...actual]
  const met = expected.map(one => {
    const index = left.findIndex(candidate => isSame(one, projectValue(one, candidate)))
    return index === -1 ? undefined : projectValue(one, left.splice(index, 1)[0] ?? null)
  })
  if (left.length === 0 && !met.includes(undefined)) return undefined
  return {
    expected: formatValueLines(expected),
    actual: formatValueLines([...met.filter(one => one !== undefined), ...left]),
  }
}

/** Reduces a value to the members that the expected value names. */
function projectValue(expected: JsonValue, actual: JsonValue): JsonValue {
  if (isObject(expected) && isObject(actual))
    return Object.fromEntries(
      Object.entries(expected).flatMap(([name, value]) => {
        const own = Object.hasOwn(actual, name) ? actual[name] : undefined
        return own === undefined ? [] : [[name, projectValue(value, own)] as const]
      }),
    )
  if (!Array.isArray(expected) || !Array.isArray(actual)) return actual
  const wanted: readonly JsonValue[] = expected
  // A surplus element shows the fields of the first expected one.
  return actual.map((one: JsonValue, index) => projectValue(wanted[index] ?? wanted[0] ?? null, one))
}

/** Compares as JSON, since `projectValue` keeps the order of the expected members. */
function isSame(expected: JsonValue, seen: JsonValue): boolean {
  return JSON.stringify(expected) === JSON.stringify(seen)
}

/** Formats a value as lines, one per leaf. The result is not meant to be parsed. */
function formatValueLines(value: JsonValue): readonly string[] {
  if (isList(value))
    return value.length === 0 ? ['[]'] : value.flatMap(one => addBullet([...listLeaves(one, '')]))
  return [...listLeaves(value, '')]
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

function addBullet([first = '', ...rest]: readonly string[]): readonly string[] {
  return [`- ${first}`, ...rest.map(line => `  ${line}`)]
}

function* listLeaves(value: JsonValue, path: string): Generator<string> {
  if (isList(value) && value.some(isObject)) {
    if (path !== '') yield `${path}:`
    yield* formatValueLines(value)
    return
  }
  if (!isObject(value)) {
    yield path === '' ? formatScalar(value) : `${path}: ${formatScalar(value)}`
    return
  }
  const members = Object.entries(value)
  if (members.length === 0) yield path === '' ? '{}' : `${path}: {}`
  for (const [name, member] of members) yield* listLeaves(member, path === '' ? name : `${path}.${name}`)
}

function formatScalar(value: JsonValue): string {
  return typeof value === 'string' && /^[\w./:@(){} -]+$/.test(value) ? value : JSON.stringify(value)
}

/** Redacts a value for display: hides text in the fields of secrets, as in quoted lines of the file. */
function redactValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((one: JsonValue) => redactValue(one))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isSecretName(name) && typeof member !== 'object' && member !== '(secret)'
        ? '[hidden]'
        : redactValue(member),
    ]),
  )
}
