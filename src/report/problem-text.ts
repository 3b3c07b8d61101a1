import type { ProxyDefect } from '../client/proxy.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { formatDotted } from '../diagnostics/pointer.js'
import { type Wording, wordingFor } from '../diagnostics/wording.js'
import type { SiteProblem } from '../library/problem.js'
import type { Blocker } from '../plan/plan.js'
import type { SubmissionState } from '../plan/submission.js'
import { display } from './display.js'
import { describeFailure } from './failures.js'
import { describeFileProblem } from './file-problem.js'
import { formatDuration } from './phrase.js'
import { describeStalePlan } from './plan-words.js'
import { describeStateFailure } from './state-failure.js'
import { describeDoubt } from './status.js'

/** Describes in one sentence the reason why there is no plan to apply. */
export function describeProblem(problem: SiteProblem): string {
  switch (problem.kind) {
    case 'file':
      return describeFileProblem(problem)
    case 'manifest':
    case 'policy':
      return `the ${problem.kind} ${display(problem.file)} ${isOnlyAgainstRules(problem.diagnostics) ? 'violates rules of its policy' : 'is not valid'}`
    case 'address':
      return `the address ${display(problem.url)} ${problem.because === 'invalid' ? problem.problem : 'is not allowed'}`
    case 'proxy':
      return `the proxy in ${problem.variable} cannot be used: it ${wordingFor(defects, problem.defect)}`
    case 'tls':
      return 'TLS files or secrets that the manifest refers to are missing or invalid; nothing was sent'
    case 'references':
      return 'secrets or files that the manifest refers to are missing or invalid; nothing was sent'
    case 'look':
      return `could not read ${problem.url}: ${describeFailure(problem.failure)}`
    case 'state': {
      const { kind } = problem.failure
      const isSaid = kind === 'moved' || kind === 'promised-elsewhere'
      return `${describeStateFailure(problem.failure)}${isSaid ? '; nothing was sent' : ''}`
    }
    case 'obstacle':
      return describeBlocker(problem.blocker)
    case 'immutable': {
      const fields = problem.edits.map(({ pointer }) => display(formatDotted(pointer)))
      const isOpen = problem.plan.actions.some(({ change }) => change === 'resume')
      return `the organization ${isOpen ? 'is being created' : 'exists'}, and these fields are immutable after creation: ${fields.join(', ')}`
    }
    case 'stale':
      return describeStalePlan(problem.moved)
    case 'local-state':
      return `the state would be kept only on this disk (${display(problem.where)}), which CI systems discard, so that later runs could not read it; nothing was sent`
    case 'not-permitted':
      return `the policy ${display(problem.file)} does not permit this plan: ${describePlanViolation(problem)}; nothing was sent`
    case 'state-location':
      return describeStateLocation(problem)
    default:
      return problem satisfies never
  }
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
    case 'needs-package':
      return `the state location \`${display(problem.location)}\` needs the package @landform/fleet: pass its backend`
    case 'contradiction':
      return `the manifest declares \`state: ${display(problem.location)}\`, but the state would be kept in ${display(problem.other)}`
    default:
      return problem satisfies never
  }
}

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
  'not-a-url': () => 'is not a URL',
  'unsupported-scheme': ({ scheme }) =>
    `names a ${display(scheme)} proxy; only http and https proxies are supported`,
  'invalid-escape': () => 'contains a % that starts no escape; write a literal % as %25',
}
