import type { Obstacle } from '../../plan/obstacle.js'
import { blockingEdits, type Plan } from '../../plan/plan.js'
import type { NextCommands } from '../../report/outcome-text.js'
import { ignoreWords } from '../../report/plan/ignore-words.js'
import { describeObstacle, describeProblem } from '../../report/problem-text.js'
import { exitCodes, obstacleCodes } from '../exit-code.js'
import type { Failure } from '../terminal/output.js'

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
export function staleFailure(moved: readonly string[], plan: string, next?: string): Failure {
  return {
    exitCode: exitCodes.stale,
    message: describeProblem({ kind: 'stale', moved, isUnderWay: false }),
    next: next ?? `run \`${plan}\`, and review the new plan`,
    moved,
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
