import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { child, dotted } from '../diagnostics/pointer.js'
import { durationMs } from '../schema/duration.js'
import type { JsonValue } from '../schema/json-schema.js'
import type { ExpectDocument } from '../schema/test-schema.js'
import { type Difference, differenceOf, setDifferenceOf } from './compare.js'
import type { Happening } from './happening.js'
import type { TestRun } from './site-test.js'

/** An expectation that does not hold. */
export interface TestFailure extends Difference {
  /** At the expectation, still without a place. */
  readonly diagnostic: Diagnostic
}

/** The expectations of a run that do not hold. */
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
        diagnostic: diagnose('test/failed', at, { test, what, problem: problemOf(difference) }),
        ...difference,
      },
    ]
  })
}

type Judge = (expect: ExpectDocument, seen: Happening) => Difference | undefined

const judges: { readonly [What in keyof ExpectDocument]-?: Judge } = {
  diagnostics: ({ diagnostics = [] }, seen) => setDifferenceOf(diagnostics, seen.diagnostics.map(finding)),
  policy: ({ policy = [] }, seen) => setDifferenceOf(policy, seen.policy),
  plan: ({ plan = {} }, seen) => reached(seen.plan, seen, known => differenceOf(plan, { ...known })),
  requests: ({ requests = [] }, seen) => reached(seen.requests, seen, known => differenceOf(requests, known)),
  outcome: ({ outcome = '' }, seen) => reached(seen.outcome, seen, known => differenceOf(outcome, known)),
  exitCode: ({ exitCode = 0 }, seen) => reached(seen.exitCode, seen, known => differenceOf(exitCode, known)),
  configured: ({ configured = 0 }, seen) =>
    reached(seen.configured, seen, known => differenceOf(configured, known)),
  events: ({ events = [] }, seen) =>
    reached(seen.events, seen, known =>
      isInOrder(events, known) ? undefined : { expected: events, actual: brief(known) },
    ),
  within: ({ within = '0s' }, seen) =>
    reached(seen.elapsedMs, seen, known =>
      known <= durationMs(within)
        ? undefined
        : { expected: [`at most ${within}`], actual: [`${Math.ceil(known / 1000)}s`] },
    ),
}

/** Compares what came about; where nothing did, the reason stands in its place. */
function reached<T>(
  value: T | undefined,
  seen: Happening,
  compare: (value: T) => Difference | undefined,
): Difference | undefined {
  if (value !== undefined) return compare(value)
  const said = seen.diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(one => `${one.code} at ${dotted(one.pointer)}`)
  const why =
    seen.plan?.obstacle ??
    (said.length > 0 ? `the manifest is not valid: ${said.join(', ')}` : 'there is no plan')
  return { expected: ['to get so far'], actual: [why] }
}

function finding({ code, severity, pointer }: Diagnostic): JsonValue {
  return { code, at: dotted(pointer), severity }
}

function isInOrder(wanted: readonly string[], events: readonly string[]): boolean {
  let at = 0
  for (const event of events) if (event === wanted[at]) at += 1
  return at === wanted.length
}

/** Signs of life repeat. */
function brief(events: readonly string[]): readonly string[] {
  return events.filter((event, index) => event !== events[index - 1])
}

function problemOf({ expected: [first = '', ...more], actual: [found = '', ...others] }: Difference): string {
  return more.length + others.length === 0 ? `is ${found}, not ${first}` : 'is otherwise'
}
