import type { Cleared, ClearStep } from '../apply/clear-submission.js'
import type { DrainCount } from '../apply/drain.js'
import type { MarkDifference } from '../plan/site-mark.js'
import { describeOtherSite } from './anomalies.js'
import { describeFailure } from './failures.js'
import { describeLock, type NextCommands } from './outcomes.js'
import { formatDuration } from './phrase.js'
import { describeStateFailure } from './state-failure.js'
import { describeHolder, describeSubmission, livenessWords } from './state-summary.js'

/** Describes a long-running step in one sentence. */
export function describeClearStep(step: ClearStep): string {
  return step.type === 'draining'
    ? `waiting for ${formatDuration(step.remainingMs)}: until then the request may still arrive${countWords[step.count]}`
    : `polling the site for ${formatDuration(step.forMs)}, to verify that no configuration has started`
}

/** Describes the result in one sentence: the facts about the site, and the change to the state. */
export function describeCleared(result: Cleared): string {
  switch (result.kind) {
    case 'cleared':
      return 'submission intent discarded: the next apply may send configure again. Nothing was sent'
    case 'kept':
      return 'the site was upgraded: the record stays, and its new version and build are noted'
    case 'another-site':
      return `${describeOtherSite(result.difference)}; nothing was discarded`
    case 'nothing-to-clear':
      return `nothing prevents configure from being sent: ${describeSubmission(result.submission)}`
    case 'another':
      return `the recorded request is a different one: ${describeSubmission(result.submission)}`
    case 'locked':
      return `the site is locked by ${describeLock(result.lock)}; ${livenessWords[result.liveness]}`
    case 'may-still-send':
      return `${describeHolder(result.submission.by)} recorded the submission intent and ${mayStillSend[result.liveness]}`
    case 'too-early':
      return `the request may still arrive for ${formatDuration(result.remainingMs)}${countWords[result.count]}`
    case 'shows':
      return `the site reports a configuration (${result.observed.kind}), so nothing was discarded`
    case 'unproven':
      return result.lost === undefined
        ? 'the site does not consistently report that no configuration has started, so nothing was discarded'
        : `the site could not be polled, so nothing was discarded: ${describeLost(result.lost)}`
    case 'moved':
      return 'another run changed the state of the site in the meantime'
    case 'interrupted':
      return 'interrupted; nothing was discarded'
    case 'not-recorded':
      return describeStateFailure(result.failure)
    default:
      return result satisfies never
  }
}

/** Suggests the next steps with their exact commands. */
export function suggestAfterClearing(result: Cleared, commands: NextCommands): readonly string[] {
  return suggestLines(result, commands).split('\n')
}

function suggestLines(result: Cleared, commands: NextCommands): string {
  const { apply, show, discardIntent, unlock } = commands
  switch (result.kind) {
    case 'cleared':
    case 'kept':
    case 'nothing-to-clear':
    case 'shows':
      return apply
    case 'another-site':
      return suggestSiteIs(discardIntent(result.submission.nonce), result.difference)
    case 'another':
      return discardIntent(result.submission.nonce)
    case 'locked':
      return result.liveness === 'elsewhere'
        ? `wait for that run, then run the same command again\nif you are sure that it is gone: \`${unlock(result.lock.nonce)}\``
        : 'wait for that run, then run the same command again'
    case 'may-still-send': {
      const again = discardIntent(result.submission.nonce)
      return result.liveness === 'alive'
        ? `wait for that process, or stop it, then run \`${again}\``
        : `make sure that it is gone for good, and not only paused, then run \`${again} --runner-is-gone\``
    }
    case 'too-early':
      return result.count === 'each-call'
        ? 'run the same command with --wait'
        : 'run the same command then, or now with --wait'
    case 'unproven':
      return `run the same command again once the site responds: the time already waited counts\nor watch the site without sending anything: \`${apply}\``
    case 'moved':
      return show
    case 'interrupted':
      return 'run the same command again'
    case 'not-recorded':
      return 'fix the cause, then run the same command again'
    default:
      return result satisfies never
  }
}

/** Suggests both answers to which site responds with another version or build. */
export function suggestSiteIs(discard: string, { kind }: MarkDifference): string {
  if (kind === 'another-emulator') return `if the one that was configured is gone: \`${discard}\``
  return `if it is the same site, upgraded since: \`${discard} --site-is upgraded\`, which keeps the record\nif it is another site, and the one that was configured is gone: \`${discard} --site-is another\``
}

function describeLost({ looks, failure }: NonNullable<(Cleared & { kind: 'unproven' })['lost']>): string {
  const last = describeFailure(failure)
  return looks === 1 ? last : `${looks} polls failed, the last one: ${last}`
}

/** The assumption about the time that has passed. */
const countWords = {
  begins: ', counting from now',
  'goes-on': '',
  'goes-on-by-site':
    ' by the clock of the site, for which less time has passed than for the one of this machine',
  'begins-anew':
    ', counting from now: the count was started by another machine, or by this one before a restart, or the clock of the site was set back',
  'each-call':
    ', counting within this call only: the operating system does not identify this machine, and its clock may have been changed',
} as const satisfies Record<DrainCount, string>

const mayStillSend = {
  alive: 'is still running: it could still send the request',
  elsewhere: 'cannot be observed from here: if it is only paused, it could still send the request',
} as const
