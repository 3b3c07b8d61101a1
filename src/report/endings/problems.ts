import type { ServiceFailure } from '../../client/failure.js'
import type { ProxyDefect } from '../../client/proxy.js'
import { type Wording, wordingFor } from '../../diagnostics/wording.js'
import type { SiteProblem } from '../../library/problem.js'
import type { ImmutableEdit } from '../../plan/plan.js'
import { formatDotted } from '../../schema/pointer.js'
import type { CommandFailure } from '../command-failure.js'
import { display } from '../display.js'
import { describeFileProblem } from '../file-problem.js'
import { chooseFindingsExit, chooseReferencesExit, suggestReferences } from '../findings.js'
import { formatDuration } from '../phrase.js'
import {
  describeStaleFact,
  describeStalePlan,
  formatAssertCommand,
  formatIgnoreOptions,
} from '../plan-words.js'
import { shellWord } from '../shell-word.js'
import { describeStateReason } from '../state-reasons.js'
import { endOfBlocker } from './blockers.js'
import { buildFailure, endings, type NextCommands } from './ending.js'
import { causeOfService, describeFailure } from './service.js'
import { endOfState } from './state.js'
import { endOfViolation } from './violations.js'

type Look = Extract<SiteProblem, { readonly kind: 'look' }>

/** The reason why a command cannot work on a site. */
type Problem =
  | Exclude<SiteProblem, Look>
  /**
   * A site that cannot be read. `token` is the remedy if the service asks for a token; `renamed` is an edit of the user
   * name that makes signing in fail.
   */
  | (Look & { readonly token?: string; readonly renamed?: { readonly was: string; readonly is: string } })
  /** A site that did not come up in time. */
  | {
      readonly kind: 'never-up'
      readonly url: string
      readonly limitMs: number
      readonly failure: ServiceFailure
    }

/** The problems whose next step is a command for the same site. */
type SiteSpecific = Extract<Problem, { readonly kind: 'obstacle' | 'stale' | 'references' | 'not-permitted' }>

/** The endings of a command without a plan, or with one that must not be performed. */
export const endOfProblem = endings<Problem>({
  file: {
    title: { missing: 'a file is missing', invalid: 'a file cannot be used' },
    say: describeFileProblem,
    exit: ({ because }) => (because === 'missing' ? 'missing' : 'invalid'),
  },
  manifest: {
    title: {
      invalid: 'the manifest is not valid',
      missing: 'a file or a secret that the manifest names is missing',
      refused: 'the manifest violates rules of its policy',
    },
    say: describeInvalid,
    exit: ({ diagnostics }) => chooseFindingsExit(diagnostics, 'error'),
  },
  policy: { title: 'a policy is not valid', say: describeInvalid, exit: 'invalid' },
  address: {
    title: 'the address of the site is not valid, or not allowed',
    say: problem =>
      `the address ${display(problem.url)} ${problem.because === 'invalid' ? problem.problem : 'is not allowed'}`,
    exit: 'invalid',
  },
  proxy: {
    title: 'the proxy that the environment names cannot be used',
    say: ({ variable, defect }) =>
      `the proxy in ${variable} cannot be used: it ${wordingFor(defects, defect)}`,
    exit: 'refused',
    next: ({ variable }) =>
      `name an http or https proxy in ${variable}, or list the host of the site in NO_PROXY`,
  },
  tls: {
    say: 'TLS files or secrets that the manifest refers to are missing or invalid',
    exit: ({ diagnostics }) => chooseReferencesExit(diagnostics),
  },
  references: {
    say: 'secrets or files that the manifest refers to are missing or invalid',
    exit: ({ diagnostics }) => chooseReferencesExit(diagnostics),
    next: ({ diagnostics }, { plan }) => `${suggestReferences(diagnostics)}, then run \`${plan}\``,
  },
  look: {
    title: { stale: 'the user name of the initial administrator, which signs in, was edited' },
    say: ({ url, failure, renamed }) =>
      renamed === undefined
        ? `could not read ${url}: ${describeFailure(failure)}`
        : `could not sign in as ${display(renamed.is)}: the organization was created with the user name ${display(renamed.was)}, and no operation changes it`,
    exit: ({ failure, renamed }) => (renamed === undefined ? causeOfService(failure).exit : 'stale'),
    end: ({ renamed }) => (renamed === undefined ? undefined : 'refused'),
    next: problem =>
      problem.renamed === undefined
        ? suggestReadRemedy(problem)
        : [
            `write \`username: ${display(problem.renamed.was)}\` below \`spec.administrator\` again`,
            'or name another account in `spec.site.signIn`',
          ],
  },
  'never-up': {
    title: 'the site was not up in time',
    say: ({ url, limitMs, failure }) =>
      `${url} was not up after ${formatDuration(limitMs)}: ${describeFailure(failure)}`,
    exit: 'unreachable',
    next: () => 'check the address of the site and what is in front of it, or wait longer',
  },
  state: endOfState,
  obstacle: ({ blocker }) => endOfBlocker(blocker),
  immutable: {
    title: 'the plan leaves out edits of immutable fields',
    say({ edits, plan }) {
      const isOpen = plan.actions.some(({ change }) => change === 'resume')
      const ways = [...new Set(edits.map(nameOtherWay))].map(
        way =>
          `${edits
            .filter(edit => nameOtherWay(edit) === way)
            .map(({ pointer }) => display(formatDotted(pointer)))
            .join(', ')}${way}`,
      )
      return `these fields are immutable ${isOpen ? 'while the organization is being created' : 'once the organization exists'}: ${ways.join('; ')}`
    },
    exit: 'stale',
    end: 'refused',
    next({ edits, plan }, { adopt }) {
      const assert = formatAssertCommand(adopt, plan)
      return [
        `revert the edits, or ignore them: ${formatIgnoreOptions(edits)}`,
        ...(edits.some(({ operation }) => operation !== undefined)
          ? ['to change the site: perform the named operation yourself']
          : []),
        ...(assert === undefined ? [] : [`if the site already has these values, record that: \`${assert}\``]),
      ]
    },
  },
  stale: {
    say: ({ moved }) => describeStalePlan(moved),
    exit: 'stale',
    next({ moved }, { plan }) {
      const address = moved.find(fact => fact.kind === 'address')
      const again = `run \`${plan}\`, and review the new plan`
      return address === undefined
        ? again
        : [
            `to apply it to ${display(address.was)}: pass \`--url ${shellWord(address.was)}\``,
            `otherwise ${again}`,
          ]
    },
  },
  'local-state': {
    title: 'a CI system would create a site with state on its own disk',
    say: ({ where }) =>
      `the state would be kept on this disk (${display(where)}), which CI discards: later runs would not find it`,
    exit: 'refused',
    next: () => [
      'keep state where every run can read it: `state: git:origin` in the manifest',
      'if this disk outlives the run: --accept-local-state',
    ],
  },
  'not-permitted': ({ file, violation }) => endOfViolation({ ...violation, file }),
  'state-location': {
    title: 'the state location is missing, or cannot be used',
    say: describeStateLocation,
    exit: 'refused',
    next(problem) {
      if (problem.because !== 'not-allowed')
        return 'add `state: git:origin` below `spec:` in the manifest, or pass --state; every run must find what earlier runs sent'
      return problem.reason.kind === 'endpoint-not-allowed'
        ? `check who wrote it; if the state belongs there: \`export ${problem.reason.variable}=${shellWord(problem.reason.endpoint)}\``
        : []
    },
  },
})

/** Describes in one sentence the reason why there is no plan to apply. */
export function describeProblem(problem: SiteProblem): string {
  return endOfProblem(problem).say
}

/** Builds the failure that a command prints for a problem. Most problems do not need the commands of the site. */
export function toFailure(problem: Exclude<Problem, SiteSpecific>): CommandFailure
export function toFailure(problem: Problem, run: NextCommands): CommandFailure
export function toFailure(problem: Problem, run?: NextCommands): CommandFailure {
  return {
    ...buildFailure(endOfProblem(problem), run as NextCommands),
    ...('diagnostics' in problem && { diagnostics: problem.diagnostics }),
    ...(problem.kind === 'stale' && { moved: problem.moved.map(describeStaleFact) }),
  }
}

/** Names the operation of the service that carries out an edit, after its field. */
function nameOtherWay({ operation, since }: ImmutableEdit): string {
  if (operation === undefined) return ''
  return ` (use the service operation \`${operation}\`${since === undefined ? '' : `, since ${since}`})`
}

/** The codes of Node.js for a connection that fails because this machine lacks memory, files or ports. */
const shortages = ['ENOMEM', 'ENOBUFS', 'EMFILE', 'ENFILE', 'EADDRNOTAVAIL']

/** Suggests what to do about a site that cannot be read, by the cause. */
function suggestReadRemedy({
  url,
  failure,
  caFile,
  token = 'use a token of an administrator',
}: Problem & { readonly kind: 'look' }): string | readonly string[] {
  if (failure.kind === 'not-sent' && shortages.includes(failure.reason))
    return 'free memory or connections on this machine, or raise its limits, then run the command again'
  if (failure.kind === 'not-sent' && failure.proxy !== undefined) {
    const { variable } = failure.proxy
    return failure.cause === 'proxy-sign-in'
      ? `write the user and the password of the proxy in ${variable}`
      : `check the proxy in ${variable}, or list ${new URL(url).hostname} in NO_PROXY`
  }
  const found = causeOfService(failure).fix({ path: namePath(url), token, caFile })
  if (found !== undefined) return found
  if (failure.kind === 'trouble')
    return 'try again; if it persists, check the service and the proxy or ingress in front of it'
  if (failure.kind === 'no-answer' && url.startsWith('http:'))
    return 'check the address of the site: an https port needs https://'
  return 'check the address of the site, and that it can be reached from here'
}

/** Names the path of a site in a remedy. */
export function namePath(url: string): string {
  return `\`${display(new URL(url).pathname)}\``
}

function describeInvalid({
  kind,
  file,
  diagnostics,
}: Extract<SiteProblem, { readonly kind: 'manifest' | 'policy' }>): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const isOnlyAgainstRules = errors.every(({ code }) => code === 'policy/violated')
  return `the ${kind} ${display(file)} ${isOnlyAgainstRules ? 'violates rules of its policy' : 'is not valid'}`
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

const defects: Wording<ProxyDefect> = {
  quoted: () => 'is wrapped in quotes; remove them',
  'not-a-url': () => 'is not a URL',
  'not-only-a-host': () =>
    'has a path, a query or a fragment; in a user name or a password, write # as %23, ? as %3F, / as %2F and \\ as %5C',
  'unsupported-scheme': ({ scheme }) =>
    `names a ${display(scheme)} proxy; only http and https proxies are supported`,
  'invalid-escape': () => 'contains a % that starts no escape; write a literal % as %25',
}
