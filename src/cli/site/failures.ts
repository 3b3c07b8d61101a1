import type { ServiceFailure } from '../../client/failure.js'
import { isLocalShortage } from '../../client/limit.js'
import type { Route } from '../../client/route.js'
import type { SiteProblem, StalePlan } from '../../library/problem.js'
import type { TlsSettings } from '../../manifest/manifest.js'
import { type Blocker, listBlockingEdits, type Plan } from '../../plan/plan.js'
import type { StaleFact } from '../../plan/saved/bindings.js'
import { suggestAfterCause } from '../../report/answer-causes.js'
import { suggestTlsRemedy } from '../../report/certificate-faults.js'
import { suggestSiteIs } from '../../report/discard-intent.js'
import { display } from '../../report/display.js'
import type { NextCommands } from '../../report/outcomes.js'
import { describeStaleFact, formatIgnoreOptions } from '../../report/plan-words.js'
import { describeBlocker, describeProblem, exitCodeOfProblem } from '../../report/problems.js'
import type { StateFailure } from '../../state/state-failure.js'
import type { Host } from '../host.js'
import { type Failure, shellWord } from '../terminal/output.js'

/** The commands that a next step may name. */
type Commands = Pick<NextCommands, 'apply' | 'plan' | 'discardIntent'>

/** The problems whose next step is a command for the same site. */
type SiteSpecific = Extract<SiteProblem, { readonly kind: 'obstacle' | 'stale' }>

/** Everything that a command says about a problem: the sentence, the exit code, the next step, and its details. */
export function toFailure(problem: Exclude<SiteProblem, SiteSpecific>): Failure
export function toFailure(problem: SiteProblem, commands: Commands): Failure
export function toFailure(problem: SiteProblem, commands?: Commands): Failure {
  const next = suggestRemedy(problem, commands)
  return {
    exitCode: exitCodeOfProblem(problem),
    message: describeProblem(problem),
    ...(next !== undefined && { next: next.split('\n') }),
    ...('diagnostics' in problem && { diagnostics: problem.diagnostics }),
    ...(problem.kind === 'stale' && { moved: problem.moved.map(describeStaleFact) }),
  }
}

function suggestRemedy(problem: SiteProblem, commands: Commands | undefined): string | undefined {
  switch (problem.kind) {
    case 'immutable':
      return [
        `revert the edits, or ignore them: ${formatIgnoreOptions(problem.edits)}`,
        ...(problem.edits.some(({ operation }) => operation !== undefined)
          ? ['to change the site: perform the named operation yourself, and keep that option']
          : []),
      ].join('\n')
    case 'stale':
      return commands && suggestAfterStale(problem, commands)
    case 'references':
      return commands && `provide what is missing, then run \`${commands.plan}\``
    case 'obstacle':
      return commands && suggestAfterBlocker(problem.blocker, commands)
    case 'state':
      return suggestStateRemedy(problem.failure)
    case 'proxy':
      return `name an http or https proxy in ${problem.variable}, or list the host of the site in NO_PROXY`
    case 'look':
      return suggestReadRemedy(problem)
    case 'local-state':
      return 'keep state where every run can read it: `state: git:origin` in the manifest\nif this disk outlives the run: --accept-local-state'
    case 'state-location':
      if (problem.because === 'not-allowed')
        return problem.reason.kind === 'endpoint-not-allowed'
          ? `check who wrote it; if the state belongs there: \`export AWS_ENDPOINT_URL_S3=${shellWord(problem.reason.endpoint)}\``
          : undefined
      return 'add `state: git:origin` below `spec:` in the manifest, or pass --state; every run must find what earlier runs sent'
    default:
      return undefined
  }
}

/** Suggests what to do about a site that cannot be read, by the cause. */
function suggestReadRemedy({ url, failure, caFile }: SiteProblem & { readonly kind: 'look' }): string {
  if (failure.kind === 'not-sent' && isLocalShortage(failure.reason))
    return 'free memory or connections on this machine, or raise its limits, then run the command again'
  if (failure.kind === 'not-sent' && failure.proxy !== undefined) {
    const { variable } = failure.proxy
    return failure.cause === 'proxy-sign-in'
      ? `write the user and the password of the proxy in ${variable}`
      : `check the proxy in ${variable}, or list ${new URL(url).hostname} in NO_PROXY`
  }
  const found =
    suggestTlsRemedy(failure, caFile) ?? suggestAtSite(url, failure, 'use a token of an administrator')
  if (found !== undefined) return found
  if (failure.kind === 'trouble')
    return 'try again; if it stays so, check the service, and the proxy or ingress in front of it'
  if (failure.kind === 'no-answer' && url.startsWith('http:'))
    return 'check the address of the site: a port of https needs https:// there'
  return 'check the address of the site, and that it can be reached from here'
}

/** Suggests what to do about an answer that the service at an address did not give itself. */
export function suggestAtSite(url: string, failure: ServiceFailure, token: string): string | undefined {
  const path = `\`${display(new URL(url).pathname)}\``
  return suggestAfterCause(failure, { path, token })
}

function suggestAfterStale({ isUnderWay }: StalePlan, { plan, apply }: Commands): string {
  return isUnderWay
    ? `wait for the run that applied it\nif that run is gone, resume the wait: \`${apply}\``
    : `run \`${plan}\`, and review the new plan`
}

/** Rejects a plan with edits of immutable fields; nothing where there are none. */
export function checkImmutableEdits(plan: Plan): Failure | undefined {
  const edits = listBlockingEdits(plan)
  return edits.length === 0 ? undefined : toFailure({ kind: 'immutable', edits, plan })
}

/** Explains why a saved plan is stale before its site is read; `plan` is the command that plans again. */
export function toStaleFailure(moved: readonly StaleFact[], plan: string): Failure {
  return toFailure({ kind: 'stale', moved, isUnderWay: false }, { plan, apply: '', discardIntent: () => '' })
}

/** Explains why nothing can be compared. */
export function toComparisonFailure(blocker: Blocker, commands: Commands): Failure {
  const { diagnostics: _, ...failure } = toFailure({ kind: 'obstacle', blocker, diagnostics: [] }, commands)
  return { ...failure, message: describeBlocker(blocker, 'compared') }
}

function suggestAfterBlocker(blocker: Blocker, { discardIntent, plan }: Commands): string {
  switch (blocker.kind) {
    case 'site-failed':
      return `check the logs of the service\nundeploy and redeploy the site, then run \`${plan}\``
    case 'site-unrecognized':
      return `check the site itself: Landform does not guess what an unknown state means; then run \`${plan}\``
    case 'site-too-old':
      return 'upgrade the site first, or remove the marked fields'
    case 'site-replaced':
      if (blocker.difference !== undefined)
        return `find out which site responds there: nothing is sent to it\n${suggestSiteIs(discardIntent(blocker.submission.nonce), blocker.difference)}\nthen run \`${plan}\``
      return `if the site was redeployed and must be configured again: \`${discardIntent(blocker.submission.nonce)}\`\nthen run \`${plan}\``
    default:
      return blocker satisfies never
  }
}

/** Describes state that cannot be used, and was not changed. */
export function toStateFailure(failure: StateFailure): Failure {
  return toFailure({ kind: 'state', failure })
}

function suggestStateRemedy({ kind, reason, to, calledBy, where }: StateFailure): string {
  if (reason.kind === 'renamed-site')
    return `if it is the same site: ${suggestMove(reason.site, calledBy)}\nif it is a new one: keep its manifest in another file, so that this one can finish \`${reason.name}\``
  if (reason.kind === 'missing-request')
    return `${remedies.damaged}\nif it is lost and you are sure that the request did not reach the service: remove ${reason.recordedIn}, too`
  if (reason.kind === 'not-arrived')
    return reason.found === 'older-copy'
      ? `if the move broke off, run it again: \`landform state move\`; otherwise ${remedies.damaged}`
      : `check that the location leads where it led when the state moved (a folder that is mounted, the remote of the clone, a variable), ${again}`
  if (kind === 'promised-elsewhere') {
    const use =
      reason.kind === 'intent-missing'
        ? 'restore the newest state in that location'
        : 'use that state location, or move it with `landform state move`'
    return `${use}\nif it is lost and you are sure that the request did not reach the service: \`rm ${shellWord(where)}\``
  }
  if (kind !== 'moved') return remedies[kind]
  if (to?.site === undefined || calledBy === undefined)
    return 'finish the move, or name the state location that it moved to'
  return `if it is the same site: ${suggestMove(to.site, calledBy)}; another site needs another \`metadata.name\``
}

function suggestMove(from: string, to = 'ADDRESS'): string {
  return `\`landform state move ${shellWord(from)} ${shellWord(to)} MANIFEST\``
}

const again = 'then run the same command again'

/** Without its state it is unknown whether `configure` was sent. */
const remedies: Readonly<Record<Exclude<StateFailure['kind'], 'moved' | 'promised-elsewhere'>, string>> = {
  unreadable: `fix that, ${again}`,
  unwritable: `fix that, ${again}`,
  damaged: 'restore it from a backup: without it, it is unknown whether configure was sent',
  newer: 'use the version of Landform that wrote it; nothing was changed',
  foreign: 'name the state location of this site with --state',
  overtaken: 'wait for the other run, then run the same command again',
}

/** Prints the route of requests to a site, for `--verbose`. */
export function reportRoute(url: string, route: Route, tls: TlsSettings | undefined, host: Host): void {
  host.stderr.print(`requests go ${describeRoute(url, route, tls).join(', ')}\n`)
}

function describeRoute(url: string, { proxy }: Route, tls: TlsSettings | undefined): readonly string[] {
  const words = [
    `to ${new URL(url).origin}`,
    ...(proxy === undefined ? ['directly'] : [`through the proxy ${proxy.host} (${proxy.variable})`]),
    ...(tls?.caFile === undefined ? [] : [`trusting ${tls.caFile} too`]),
    ...(tls?.client === undefined ? [] : [`showing ${tls.client.certificate}`]),
  ]
  return words.map(text => display(text))
}
