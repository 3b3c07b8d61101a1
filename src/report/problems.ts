import type { ProxyDefect } from '../client/proxy.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { type Wording, wordingFor } from '../diagnostics/wording.js'
import type { SiteProblem } from '../library/problem.js'
import type { Blocker, ImmutableEdit } from '../plan/plan.js'
import type { SubmissionState } from '../plan/submission.js'
import { formatDotted } from '../schema/pointer.js'
import { describeDoubt, describeOtherSite } from './anomalies.js'
import { display } from './display.js'
import { type ExitCode, exitCodes } from './exit-code.js'
import {
  exitCodeOfFailure,
  exitCodeOfFindings,
  exitCodeOfReferences,
  exitCodeOfState,
} from './exit-code-of.js'
import { describeFailure } from './failures.js'
import { describeFileProblem } from './file-problem.js'
import { formatDuration } from './phrase.js'
import { describeStalePlan } from './plan-words.js'
import { describeStateFailure, describeStateReason } from './state-failure.js'

/** The text and the exit code of one kind of problem. */
interface ProblemRow<P extends SiteProblem> {
  /** Describes it in one sentence. */
  describe(problem: P): string
  exitCode(problem: P): ExitCode
}

type ProblemTable = {
  readonly [K in SiteProblem['kind']]: ProblemRow<Extract<SiteProblem, { readonly kind: K }>>
}

const problems: ProblemTable = {
  file: {
    describe: describeFileProblem,
    exitCode: ({ because }) => (because === 'missing' ? exitCodes.missing : exitCodes.invalid),
  },
  manifest: {
    describe: describeInvalid,
    exitCode: ({ diagnostics }) => exitCodeOfFindings(diagnostics, 'error'),
  },
  policy: { describe: describeInvalid, exitCode: () => exitCodes.invalid },
  address: {
    describe: problem =>
      `the address ${display(problem.url)} ${problem.because === 'invalid' ? problem.problem : 'is not allowed'}`,
    exitCode: () => exitCodes.invalid,
  },
  proxy: {
    describe: ({ variable, defect }) =>
      `the proxy in ${variable} cannot be used: it ${wordingFor(defects, defect)}`,
    exitCode: () => exitCodes.refused,
  },
  tls: {
    describe: () => 'TLS files or secrets that the manifest refers to are missing or invalid',
    exitCode: ({ diagnostics }) => exitCodeOfReferences(diagnostics),
  },
  references: {
    describe: () => 'secrets or files that the manifest refers to are missing or invalid',
    exitCode: ({ diagnostics }) => exitCodeOfReferences(diagnostics),
  },
  look: {
    describe: ({ url, failure }) => `could not read ${url}: ${describeFailure(failure)}`,
    exitCode: ({ failure }) => exitCodeOfFailure(failure),
  },
  state: {
    describe: ({ failure }) => describeStateFailure(failure),
    exitCode: ({ failure }) => exitCodeOfState(failure),
  },
  obstacle: {
    describe: ({ blocker }) => describeBlocker(blocker),
    exitCode: ({ blocker }) => blockerCodes[blocker.kind],
  },
  immutable: {
    describe({ edits, plan }) {
      const isOpen = plan.actions.some(({ change }) => change === 'resume')
      const ways = [...new Set(edits.map(nameOtherWay))].map(
        way =>
          `${edits
            .filter(edit => nameOtherWay(edit) === way)
            .map(nameEdit)
            .join(', ')}${way}`,
      )
      return `the organization ${isOpen ? 'is being created' : 'exists'}, and no apply changes these fields: ${ways.join('; ')}`
    },
    exitCode: () => exitCodes.stale,
  },
  stale: { describe: ({ moved }) => describeStalePlan(moved), exitCode: () => exitCodes.stale },
  'local-state': {
    describe: ({ where }) =>
      `the state would be kept only on this disk (${display(where)}), which CI systems discard, so that later runs could not read it`,
    exitCode: () => exitCodes.refused,
  },
  'not-permitted': {
    describe: problem =>
      `the policy ${display(problem.file)} does not permit this plan: ${describePlanViolation(problem)}`,
    exitCode: () => exitCodes.refused,
  },
  'state-location': { describe: describeStateLocation, exitCode: () => exitCodes.refused },
}

function nameEdit({ pointer }: ImmutableEdit): string {
  return display(formatDotted(pointer))
}

/** Names the operation of the service that carries out an edit, after its field. */
function nameOtherWay({ operation, since }: ImmutableEdit): string {
  if (operation === undefined) return ''
  return ` (the service does by \`${operation}\`${since === undefined ? '' : `, since ${since}`})`
}

/** A row takes only problems of its kind, which the compiler cannot see in a table. */
function rowOf(problem: SiteProblem): ProblemRow<SiteProblem> {
  return problems[problem.kind] as ProblemRow<SiteProblem>
}

/** Describes in one sentence the reason why there is no plan to apply. */
export function describeProblem(problem: SiteProblem): string {
  return rowOf(problem).describe(problem)
}

/** The exit code for the reason why there is no plan that may be performed. */
export function exitCodeOfProblem(problem: SiteProblem): ExitCode {
  return rowOf(problem).exitCode(problem)
}

type Invalid = Extract<SiteProblem, { readonly kind: 'manifest' | 'policy' }>

function describeInvalid({ kind, file, diagnostics }: Invalid): string {
  return `the ${kind} ${display(file)} ${isOnlyAgainstRules(diagnostics) ? 'violates rules of its policy' : 'is not valid'}`
}

function describePlanViolation({ violation }: SiteProblem & { readonly kind: 'not-permitted' }): string {
  switch (violation.kind) {
    case 'unsigned':
      return 'creating an organization takes a saved plan that one of its keys signed'
    case 'old':
      return `it is older than ${formatDuration(violation.maxAgeMs)}`
    case 'closed': {
      const { days, start, end, timeZone } = violation.hours
      return `changes are permitted on ${days.join(', ')} from ${start} to ${end} (${display(timeZone)})`
    }
    default:
      return violation satisfies never
  }
}

function describeStateLocation(problem: SiteProblem & { readonly kind: 'state-location' }): string {
  switch (problem.because) {
    case 'undeclared':
      return `no state location for ${display(problem.url)}: \`spec.state\` is missing`
    case 'not-allowed':
      return `the state location \`${display(problem.location)}\` cannot be used: ${display(describeStateReason(problem.reason))}`
    case 'needs-package':
      return `the state location \`${display(problem.location)}\` needs the package @landform/fleet: pass its backend`
    case 'contradiction':
      return `the manifest declares \`state: ${display(problem.location)}\`, but the state would be kept in ${display(problem.other)}`
    default:
      return problem satisfies never
  }
}

/** The codes for why nothing can be planned, or compared. */
export const blockerCodes = {
  'site-failed': exitCodes.serviceFailed,
  'site-unrecognized': exitCodes.unknown,
  'site-too-old': exitCodes.stale,
  'site-replaced': exitCodes.stale,
} as const satisfies Record<Blocker['kind'], ExitCode>

/** Describes a blocker: the reason why nothing can be planned or compared. */
export function describeBlocker(obstacle: Blocker, done: 'planned' | 'compared' = 'planned'): string {
  switch (obstacle.kind) {
    case 'site-failed':
      return `the service reports that the configuration failed: ${display(obstacle.observed.message ?? (obstacle.observed.assumed ? 'as of the last observation' : 'no reason given'))}`
    case 'site-unrecognized':
      return `the site reports the state "${display(obstacle.observed.state)}", ${describeDoubt(obstacle.observed.contradiction)}, so nothing is ${done}`
    case 'site-too-old':
      return 'the site is older than the manifest requires'
    case 'site-replaced': {
      if (obstacle.difference !== undefined) return describeOtherSite(obstacle.difference)
      const { state, changedAt, organization } = obstacle.submission
      if (organization.asserted)
        return `the site no longer reports a configuration, though a person asserted at ${changedAt} that it has one: it may be another site at the same address`
      return `the site no longer reports a configuration, though ${startedWords[state]} at ${changedAt}: it may be another site at the same address`
    }
    default:
      return obstacle satisfies never
  }
}

const startedWords: Readonly<Partial<Record<SubmissionState, string>>> = {
  begun: 'a configuration had started',
  ready: 'it was ready',
  failed: 'its configuration had failed',
}

function isOnlyAgainstRules(diagnostics: readonly Diagnostic[]): boolean {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  return errors.every(({ code }) => code === 'policy/violated')
}

const defects: Wording<ProxyDefect> = {
  quoted: () => 'is wrapped in quotes; remove them',
  'not-a-url': () => 'is not a URL',
  'not-only-a-host': () =>
    'has a path, a query or a fragment; in a user name or a password, write # as %23, ? as %3F, / as %2F and \\ as %5C',
  'unsupported-scheme': ({ scheme }) =>
    `names a ${display(scheme)} proxy; only http and https proxies are supported`,
  'invalid-escape': () => 'contains a % that starts no escape; write a literal % as %25',
}
