import type { Cleared, ClearStep } from '../../apply/clear-submission.js'
import type { DrainCount } from '../../apply/drain.js'
import { formatDuration } from '../duration.js'
import { describeFailure } from '../failure-text.js'
import { describeLock, type NextCommands } from '../outcome-text.js'
import { describeStateFailure } from './failure-words.js'
import { livenessWords } from './standing.js'
import { describeHolder, describeSubmission } from './submission-words.js'

/** What takes its time, in one sentence. */
export function describeClearStep(step: ClearStep): string {
  return step.type === 'draining'
    ? `waiting for ${formatDuration(step.remainingMs)}: until then the request may still arrive${countWords[step.count]}`
    : `looking at the site for ${formatDuration(step.forMs)}, to see that nothing has begun`
}

/** How it ended, in one sentence: what is known of the site, and what was changed. */
export function describeCleared(result: Cleared): string {
  switch (result.kind) {
    case 'cleared':
      return 'the request is taken back: the next apply may send configure again. Nothing was sent'
    case 'nothing-to-clear':
      return `nothing keeps configure from being sent: ${describeSubmission(result.submission)}`
    case 'another':
      return `the request on record is another one: ${describeSubmission(result.submission)}`
    case 'locked':
      return `${describeLock(result.lock)} has the site; ${livenessWords[result.liveness]}`
    case 'may-still-send':
      return `${describeHolder(result.submission.by)} promised the request and ${mayStillSend[result.liveness]}`
    case 'too-early':
      return `the request may still arrive for ${formatDuration(result.remainingMs)}${countWords[result.count]}`
    case 'shows':
      return `the site shows a configuration (${result.observed.kind}), so nothing is taken back`
    case 'unproven':
      return result.lost === undefined
        ? 'the site does not keep saying that nothing has begun, so nothing is taken back'
        : `the site could not be looked at, so nothing is taken back: ${describeLost(result.lost)}`
    case 'moved':
      return 'another run changed what is kept about the site meanwhile'
    case 'interrupted':
      return 'interrupted; nothing was taken back'
    case 'not-recorded':
      return describeStateFailure(result.failure)
    default:
      return result satisfies never
  }
}

/** What to do next, with the exact command. */
export function afterClearing(result: Cleared, commands: NextCommands): string {
  const { apply, show, resubmit, unlock } = commands
  switch (result.kind) {
    case 'cleared':
    case 'nothing-to-clear':
    case 'shows':
      return apply
    case 'another':
      return resubmit(result.submission.nonce)
    case 'locked':
      return result.liveness === 'elsewhere'
        ? `wait for that run, then run the same command again. If you are sure that it is gone: \`${unlock(result.lock.nonce)}\``
        : 'wait for that run, then run the same command again'
    case 'may-still-send': {
      const again = resubmit(result.submission.nonce)
      return result.liveness === 'alive'
        ? `wait for that process, or stop it, then run \`${again}\``
        : `make sure that it is gone for good, and not only paused, then run \`${again} --runner-is-gone\``
    }
    case 'too-early':
      return result.count === 'each-call'
        ? 'run the same command with --wait'
        : 'run the same command then, or now with --wait'
    case 'unproven':
      return `run the same command again once the site answers: the time that was waited still counts. \`${apply}\` looks on and sends nothing`
    case 'moved':
      return show
    case 'interrupted':
      return 'run the same command again'
    case 'not-recorded':
      return 'mend the cause, then run the same command again'
    default:
      return result satisfies never
  }
}

function describeLost({ looks, failure }: NonNullable<(Cleared & { kind: 'unproven' })['lost']>): string {
  const last = describeFailure(failure)
  return looks === 1 ? last : `${looks} looks were lost, the last one: ${last}`
}

/** Says what is assumed of the time that has passed. */
const countWords = {
  begins: ', counting from now',
  'goes-on': '',
  'goes-on-by-site': " by the site's own clock, for which less time has passed than for this machine's",
  'begins-anew':
    ", counting from now: another machine, or this one before it was restarted, began to count, or the site's clock was set back",
  'each-call':
    ', counting within this call only: the system does not tell which machine it is, and a clock may have been set',
} as const satisfies Record<DrainCount, string>

const mayStillSend = {
  alive: 'still runs: it could still send it',
  elsewhere: 'cannot be seen from here: were it only paused, it could still send it',
} as const
