import type { Cleared, ClearStep } from '../../apply/clear-submission.js'
import type { DrainCount } from '../../apply/drain.js'
import { describeOtherSite } from '../anomalies.js'
import { formatDuration } from '../phrase.js'
import { describeHolder, describeLocked, describeSubmission } from '../state-summary.js'
import { suggestSiteIs } from './blockers.js'
import { endings, type NextCommands } from './ending.js'
import { describeFailure } from './service.js'
import { causeOfState } from './state.js'

const goOn = (_: Cleared, { apply }: NextCommands) => apply
const again = 'run the same command again'

/** The endings of discarding a submission intent: the facts about the site, and the change to the state. */
export const endOfClearing = endings<Cleared>({
  cleared: {
    title: 'the submission intent was discarded',
    say: 'submission intent discarded: the next apply may send configure again. Nothing was sent',
    exit: 'done',
    next: goOn,
  },
  kept: {
    say: 'the site was upgraded: its record is kept, with the new version and build',
    exit: 'done',
    next: goOn,
  },
  'another-site': {
    title: 'the site that responds is not the one that the request was sent to',
    say: ({ difference }) => `${describeOtherSite(difference)}; nothing was discarded`,
    exit: 'stale',
    next: ({ submission, difference }, { discardIntent }) =>
      suggestSiteIs(discardIntent(submission.nonce), difference),
  },
  'nothing-to-clear': {
    title: 'no submission intent blocks `configure`',
    say: ({ submission }) => `configure is not blocked: ${describeSubmission(submission)}`,
    exit: 'stale',
    next: goOn,
  },
  another: {
    title: 'the recorded submission intent is not the named one',
    say: ({ submission }) => `the recorded request is a different one: ${describeSubmission(submission)}`,
    exit: 'stale',
    next: ({ submission }, { discardIntent }) => discardIntent(submission.nonce),
  },
  locked: {
    say: ({ lock, liveness }) => describeLocked(lock, liveness),
    exit: 'locked',
    next: ({ lock, liveness }, { unlock }) => [
      `wait for that run, then ${again}`,
      ...(liveness === 'elsewhere' ? [`if you are sure that it is gone: \`${unlock(lock.nonce)}\``] : []),
    ],
  },
  'may-still-send': {
    title: 'the process that recorded the submission intent could still send the request',
    say: ({ submission, liveness }) =>
      `${describeHolder(submission.by)} recorded the submission intent and ${mayStillSend[liveness]}`,
    exit: 'locked',
    next({ submission, liveness }, { discardIntent }) {
      const discard = discardIntent(submission.nonce)
      return liveness === 'alive'
        ? `wait for that process, or stop it, then run \`${discard}\``
        : `make sure that it is gone for good, and not only paused, then run \`${discard} --runner-is-gone\``
    },
  },
  'too-early': {
    title: 'the request may still arrive',
    say: ({ remainingMs, count }) =>
      `the request may still arrive for ${formatDuration(remainingMs)}${countWords[count]}`,
    exit: 'stale',
    next: ({ count }) =>
      count === 'each-call'
        ? 'run the same command with --wait'
        : 'run the same command then, or now with --wait',
  },
  shows: {
    title: 'the site reports a configuration',
    say: ({ observed }) => `the site reports a configuration (${observed.kind}), so nothing was discarded`,
    exit: 'stale',
    next: goOn,
  },
  unproven: {
    title: 'the site does not prove that no configuration has started',
    say({ lost }) {
      if (lost === undefined)
        return 'the site does not consistently report that no configuration has started, so nothing was discarded'
      const polls = lost.looks === 1 ? '' : `${lost.looks} polls failed, the last one: `
      return `the site could not be polled, so nothing was discarded: ${polls}${describeFailure(lost.failure)}`
    },
    exit: 'unknown',
    next: (_, { apply }) => [
      `${again} once the site responds: the time already waited counts`,
      `or watch the site without sending anything: \`${apply}\``,
    ],
  },
  moved: {
    say: 'another run changed the state of the site in the meantime',
    exit: 'stale',
    next: (_, { show }) => show,
  },
  interrupted: {
    title: 'interrupted',
    say: 'interrupted; nothing was discarded',
    exit: 'interrupted',
    next: () => again,
  },
  'not-recorded': {
    say: ({ failure }) => causeOfState(failure).say,
    exit: ({ failure }) => causeOfState(failure).exit,
    next: () => `fix the cause, then ${again}`,
  },
})

/** Describes a long-running step in one sentence. */
export function describeClearStep(step: ClearStep): string {
  return step.type === 'draining'
    ? `waiting for ${formatDuration(step.remainingMs)}: until then the request may still arrive${countWords[step.count]}`
    : `polling the site for ${formatDuration(step.forMs)}, to verify that no configuration has started`
}

/** Clauses about how the waiting time is counted. */
const countWords = {
  begins: ', counting from now',
  'goes-on': '',
  'goes-on-by-site': ' by the clock of the site: less time has passed there than on this machine',
  'begins-anew':
    ', counting from now: the count was started by another machine, or by this one before a restart, or the clock of the site was set back',
  'each-call':
    ', counted within this call only: the operating system does not identify this machine, and its clock may have been changed',
} as const satisfies Record<DrainCount, string>

const mayStillSend = {
  alive: 'is still running: it could still send the request',
  elsewhere: 'cannot be observed from here: if it is only paused, it could still send the request',
} as const
