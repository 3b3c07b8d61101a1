import type { Route } from '../../client/route.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { RouteProblem } from '../../library/problem.js'
import type { TlsSettings } from '../../manifest/manifest.js'
import { type Blocker, listBlockingEdits, type Plan } from '../../plan/plan.js'
import type { StaleFact } from '../../plan/saved/stale-fact.js'
import { display } from '../../report/display.js'
import type { NextCommands } from '../../report/outcome-text.js'
import { describeStaleFact, formatIgnoreOptions } from '../../report/plan-words.js'
import { describeBlocker, describeProblem } from '../../report/problem-text.js'
import type { StateFailure } from '../../state/state-failure.js'
import { exitCodes } from '../exit-code.js'
import { blockerCodes, exitCodeOfProblem, exitCodeOfReferences, exitCodeOfState } from '../exit-code-of.js'
import type { Host } from '../host.js'
import { type Failure, shellWord } from '../terminal/output.js'

/** Rejects a plan with edits of immutable fields; nothing where there are none. */
export function checkImmutableEdits(plan: Plan): Failure | undefined {
  const edits = listBlockingEdits(plan)
  if (edits.length === 0) return undefined
  return {
    exitCode: exitCodes.stale,
    message: describeProblem({ kind: 'immutable', edits, plan }),
    next: `revert the edits, or ignore them: ${formatIgnoreOptions(edits)}`,
  }
}

/** Describes a stale plan, with the facts that changed; `plan` is the command that plans again. */
export function toStaleFailure(moved: readonly StaleFact[], plan: string, next?: string): Failure {
  return {
    exitCode: exitCodes.stale,
    message: describeProblem({ kind: 'stale', moved, isUnderWay: false }),
    next: next ?? `run \`${plan}\`, and review the new plan`,
    moved: moved.map(describeStaleFact),
  }
}

/** Explains why nothing can be planned, or compared. */
export function toBlockerFailure(
  blocker: Blocker,
  commands: NextCommands,
  done: 'planned' | 'compared' = 'planned',
): Failure {
  return {
    exitCode: blockerCodes[blocker.kind],
    message: describeBlocker(blocker, done),
    next: suggestAfterBlocker(blocker, commands),
  }
}

function suggestAfterBlocker(blocker: Blocker, { discardIntent, plan }: NextCommands): string {
  switch (blocker.kind) {
    case 'site-failed':
      return `check the logs of the service\nundeploy and redeploy the site, then run \`${plan}\``
    case 'site-unrecognized':
      return `check the site itself: Landform does not guess what an unknown state means; then run \`${plan}\``
    case 'site-too-old':
      return 'upgrade the site first, or remove the marked fields'
    case 'site-replaced':
      return `if the site was redeployed and must be configured again: \`${discardIntent(blocker.submission.nonce)}\`\nthen run \`${plan}\``
    default:
      return blocker satisfies never
  }
}

/** Describes state that cannot be used, and was not changed. */
export function toStateFailure(failure: StateFailure): Failure {
  return {
    exitCode: exitCodeOfState(failure),
    message: describeProblem({ kind: 'state', failure }),
    next: describeRemedy(failure),
  }
}

function describeRemedy({ kind, to, calledBy, where }: StateFailure): string {
  if (kind === 'promised-elsewhere')
    return `use that state location, or move it with \`landform state move\`\nif it is lost and you are sure that the request did not reach the service: \`rm -r ${shellWord(where)}\``
  if (kind !== 'moved') return remedies[kind]
  if (to?.site === undefined || calledBy === undefined)
    return 'finish the move, or name the state location that it moved to; nothing was sent'
  return `if it is the same site: \`landform state move ${shellWord(to.site)} ${shellWord(calledBy)} MANIFEST\`; another site needs another \`metadata.name\``
}

const again = 'then run the same command again'

/** Without its state it is unknown whether `configure` was sent. */
const remedies: Readonly<Record<Exclude<StateFailure['kind'], 'moved' | 'promised-elsewhere'>, string>> = {
  unreadable: `fix that, ${again}; nothing was sent`,
  unwritable: `fix that, ${again}`,
  damaged:
    'restore it from a backup: without it, it is unknown whether configure was sent. Nothing was sent now',
  newer: 'use the version of Landform that wrote it; nothing was sent or changed',
  foreign: 'name the state location of this site with --state; nothing was sent',
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

/** Explains why requests cannot reach a site, and what to do. */
export function toRouteFailure(problem: RouteProblem): Failure {
  const [exitCode, message] = [exitCodeOfProblem(problem), describeProblem(problem)]
  if (problem.kind === 'tls') return { exitCode, message, diagnostics: problem.diagnostics }
  const { variable } = problem
  return {
    exitCode,
    message,
    next: `name an http or https proxy in ${variable}, or list the host of the site in NO_PROXY`,
  }
}

/** A failure about references of the manifest. */
export function toReferencesFailure(diagnostics: readonly Diagnostic[]): Failure {
  return {
    exitCode: exitCodeOfReferences(diagnostics),
    message: describeProblem({ kind: 'references', diagnostics }),
    diagnostics,
  }
}
