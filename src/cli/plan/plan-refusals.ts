import { dotted } from '../../diagnostics/pointer.js'
import { blockingEdits, type Plan } from '../../plan/plan.js'
import type { Obstacle } from '../../plan/planner.js'
import type { SubmissionState } from '../../plan/submission.js'
import { display } from '../../report/display.js'
import type { NextCommands } from '../../report/outcome-text.js'
import { ignoreWords } from '../../report/plan/ignore-words.js'
import { exitCodes } from '../exit-code.js'
import type { Failure } from '../output.js'

/** Why a plan may not be performed, though it could be made; nothing where it may. */
export function blockedFailure(made: Plan): Failure | undefined {
  const edits = blockingEdits(made)
  if (edits.length === 0) return undefined
  const fields = edits.map(({ pointer }) => display(dotted(pointer)))
  return {
    exitCode: exitCodes.stale,
    message: `the site has its organization, and nothing changes these fields of it any more: ${fields.join(', ')}`,
    next: `take the edits back, or leave them out: ${ignoreWords(edits)}`,
  }
}

/** A saved plan that may not be performed any more, with the facts that moved. */
export function staleFailure(moved: readonly string[]): Failure {
  return {
    exitCode: exitCodes.stale,
    message: `the plan is not to be applied any more, so nothing was sent; what moved: ${moved.join('; ')}`,
    next: 'plan again, and review the new plan',
    moved,
  }
}

/** Why nothing can be planned, or compared. */
export function obstacleFailure(
  obstacle: Obstacle,
  { resubmit, plan }: NextCommands,
  done: 'planned' | 'compared' = 'planned',
): Failure {
  switch (obstacle.kind) {
    case 'site-failed':
      return {
        exitCode: exitCodes.serviceFailed,
        message: `the service reports that the configuration failed: ${display(obstacle.observed.message ?? 'without a reason')}`,
        next: 'see the logs of the service; a failed configuration is taken back by undeploying',
      }
    case 'site-unrecognized':
      return {
        exitCode: exitCodes.unknown,
        message: `the site reports the state "${display(obstacle.observed.state)}", which is not documented, so nothing is ${done}`,
        next: 'look at the site itself; Landform does not guess what a state means',
      }
    case 'site-too-old':
      return {
        exitCode: exitCodes.stale,
        message: 'the site is older than fields of the manifest',
        next: 'remove the fields, or upgrade the site first',
      }
    case 'site-replaced': {
      const { submission } = obstacle
      return {
        exitCode: exitCodes.stale,
        message: `the site shows no configuration any more, though ${begun[submission.state]} at ${submission.changedAt}: it may be another site by the same address`,
        next: `where it was deployed anew, and is to be configured again: \`${resubmit(submission.nonce)}\`, then \`${plan}\``,
      }
    }
    default:
      return obstacle satisfies never
  }
}

const begun: Readonly<Partial<Record<SubmissionState, string>>> = {
  begun: 'a configuration of it had begun',
  ready: 'it was ready',
  failed: 'its configuration had failed',
}
