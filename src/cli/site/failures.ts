import type { Route } from '../../client/route.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { RouteProblem } from '../../library/problem.js'
import type { Tls } from '../../manifest/manifest.js'
import type { Obstacle } from '../../plan/obstacle.js'
import { blockingEdits, type Plan } from '../../plan/plan.js'
import type { StaleFact } from '../../plan/saved/stale-fact.js'
import { display } from '../../report/display.js'
import type { NextCommands } from '../../report/outcome-text.js'
import { ignoreWords } from '../../report/plan/ignore-words.js'
import { describeObstacle, describeProblem } from '../../report/problem-text.js'
import { describeStaleFact } from '../../report/wording/stale-plan.js'
import type { StateFailure } from '../../state/state-failure.js'
import { exitCodes } from '../exit-code.js'
import { exitCodeOfProblem, exitCodeOfReferences, exitCodeOfState, obstacleCodes } from '../exit-code-of.js'
import type { Host } from '../host.js'
import { type Failure, shellWord } from '../terminal/output.js'

/** Why a plan may not be performed, though it could be made; nothing where it may. */
export function blockedFailure(plan: Plan): Failure | undefined {
  const edits = blockingEdits(plan)
  if (edits.length === 0) return undefined
  return {
    exitCode: exitCodes.stale,
    message: describeProblem({ kind: 'immutable', edits, plan }),
    next: `take the edits back, or leave them out: ${ignoreWords(edits)}`,
  }
}

/** A saved plan that may not be performed any more, with the facts that moved; `plan` is how to plan again. */
export function staleFailure(moved: readonly StaleFact[], plan: string, next?: string): Failure {
  return {
    exitCode: exitCodes.stale,
    message: describeProblem({ kind: 'stale', moved, isUnderWay: false }),
    next: next ?? `run \`${plan}\`, and review the new plan`,
    moved: moved.map(describeStaleFact),
  }
}

/** Why nothing can be planned, or compared. */
export function obstacleFailure(
  obstacle: Obstacle,
  { resubmit, plan }: NextCommands,
  done: 'planned' | 'compared' = 'planned',
): Failure {
  const [exitCode, message] = [obstacleCodes[obstacle.kind], describeObstacle(obstacle, done)]
  switch (obstacle.kind) {
    case 'site-failed':
      return {
        exitCode,
        message,
        next: `see the logs of the service. A failed configuration is undone by undeploying; once the site is deployed again, run \`${plan}\``,
      }
    case 'site-unrecognized':
      return {
        exitCode,
        message,
        next: `look at the site itself, for Landform does not guess what a state means; then run \`${plan}\``,
      }
    case 'site-too-old':
      return {
        exitCode,
        message,
        next: 'upgrade the site first, or remove the fields that are marked',
      }
    case 'site-replaced': {
      const { submission } = obstacle
      return {
        exitCode,
        message,
        next: `where it was deployed anew, and is to be configured again: \`${resubmit(submission.nonce)}\`, then \`${plan}\``,
      }
    }
    default:
      return obstacle satisfies never
  }
}

/** State that cannot be used, and that nothing was done with. */
export function stateFailureOf(failure: StateFailure): Failure {
  return {
    exitCode: exitCodeOfState(failure),
    message: describeProblem({ kind: 'state', failure }),
    next: remedyOf(failure),
  }
}

function remedyOf({ kind, to, calledBy, where }: StateFailure): string {
  if (kind === 'promised-elsewhere')
    return `go on with that state, or move it with \`landform state move\`. If it is lost and you are sure that nothing came of the request: \`rm -r ${shellWord(where)}\``
  if (kind !== 'moved') return remedies[kind]
  if (to?.site === undefined || calledBy === undefined)
    return 'finish the move, or name the state location that it moved to; nothing was sent'
  return `if it is the same site: \`landform state move ${shellWord(to.site)} ${shellWord(calledBy)} MANIFEST\`; another site needs another \`metadata.name\``
}

const again = 'then run the same command again'

/** State that is taken away also takes away whether `configure` was sent. */
const remedies: Readonly<Record<Exclude<StateFailure['kind'], 'moved' | 'promised-elsewhere'>, string>> = {
  unreadable: `mend that, ${again}; nothing was sent`,
  unwritable: `mend that, ${again}`,
  damaged:
    'bring it back from a copy; where it is removed, nobody knows any more whether configure was sent. Nothing was sent now',
  newer: 'use the Landform that wrote it; nothing was sent or changed',
  foreign: 'name the place of the state of this site with --state; nothing was sent',
  overtaken: 'wait for the other run, then run the same command again',
}

/** Says how requests get to a site, for who asked. */
export function sayWay(url: string, route: Route, tls: Tls | undefined, host: Host): void {
  host.stderr.write(`requests go ${wayWords(url, route, tls).join(', ')}\n`)
}

function wayWords(url: string, { proxy }: Route, tls: Tls | undefined): readonly string[] {
  const words = [
    `to ${new URL(url).origin}`,
    ...(proxy === undefined ? ['directly'] : [`through the proxy ${proxy.host} (${proxy.variable})`]),
    ...(tls?.caFile === undefined ? [] : [`trusting ${tls.caFile} too`]),
    ...(tls?.client === undefined ? [] : [`showing ${tls.client.certificate}`]),
  ]
  return words.map(text => display(text))
}

/** Why requests cannot be brought to a site, and what to do. */
export function routeFailure(problem: RouteProblem): Failure {
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
export function referencesFailure(diagnostics: readonly Diagnostic[]): Failure {
  return {
    exitCode: exitCodeOfReferences(diagnostics),
    message: describeProblem({ kind: 'references', diagnostics }),
    diagnostics,
  }
}
