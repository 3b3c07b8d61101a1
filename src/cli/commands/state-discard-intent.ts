import { type Cleared, clearSubmission, isClearable, maySend } from '../../apply/clear-submission.js'
import { computeDrain } from '../../apply/drain.js'
import { readSiteDate, siteReader } from '../../client/site-reader.js'
import {
  hasBegun,
  isPending,
  type Liveness,
  type MachineTime,
  type Submission,
} from '../../plan/submission.js'
import { describeCleared, describeClearStep, suggestAfterClearing } from '../../report/discard-intent.js'
import { type ExitCode, exitCodes } from '../../report/exit-code.js'
import { exitCodeOfState } from '../../report/exit-code-of.js'
import { suggestAfterRejection } from '../../report/outcomes.js'
import { formatDuration, formatSentence, removeFullStop } from '../../report/phrase.js'
import { describeHolder, describeSubmission, livenessWords } from '../../report/state-summary.js'
import { formatNext } from '../../report/terminal.js'
import type { Result } from '../../result.js'
import { type ArgumentsOf, declare, flag, pair, text } from '../command.js'
import { keptOptions, targetArgument } from '../command-options.js'
import type { Host } from '../host.js'
import { toStateFailure } from '../site/failures.js'
import { type AddressedSite, openSiteOrAddress, withSite } from '../site/open-session.js'
import { stopSignal } from '../terminal/interaction.js'
import { type Failure, printAnswer, type QueryAnswer } from '../terminal/output.js'
import { drain } from '../terminal/progress.js'

const declaration = declare({
  name: 'state discard-intent',
  describe: 'Discard a submission intent proven not to have reached the service',
  touches: 'changes',
  arguments: [targetArgument],
  options: {
    intent: text('NONCE', 'The submission intent to discard; without it, show what is known'),
    'runner-is-gone': flag(
      'The machine of the run is gone for good: a process that is only paused could still send',
    ),
    'site-is': text('WHICH', 'The site that now responds with another version or build', {
      choices: ['upgraded', 'another'],
    }),
    wait: flag('Wait until the request can no longer arrive'),
    ...keptOptions,
  },
  examples: [
    ['state discard-intent site.yaml', 'see what is known of the request'],
    [
      'state discard-intent site.yaml --intent 5f0c… --wait',
      'wait until it can no longer arrive, then discard it',
    ],
  ],
})

/** Discards a submission intent that did not reach the service, so that the next apply may send one. Sends GET alone, and what signing in takes. */
function discardIntent(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const open = () => openSiteOrAddress(argv, host)
  return withSite({ ...argv, format: [] }, host, {
    formats: [],
    open,
    async work({ session, refuse }) {
      const { intent } = argv
      if (intent === undefined) {
        const known = await describeIntent(session, host)
        return known.ok ? printAnswer(host, known.value, argv.color) : refuse(known.error)
      }
      const stop = stopSignal(host, () => 'stopping; nothing was discarded')
      try {
        const { url, route, state, provideToken, commands } = session
        const { signal } = stop
        const ports = {
          state,
          clock: host.clock,
          client: siteReader(url, provideToken, route),
          siteDate: () => readSiteDate(url, signal, route),
        }
        const siteIs = argv['site-is']
        const options = {
          nonce: intent,
          isRunnerGone: argv['runner-is-gone'],
          siteIs,
          waits: argv.wait,
          signal,
        }
        const result = await drain(clearSubmission(ports, options), step => {
          if (!argv.quiet) host.stderr.print(`${describeClearStep(step)}\n`)
        })
        const message = describeCleared(result)
        const next = suggestAfterClearing(result, commands)
        const exitCode = result.kind === 'interrupted' ? stop.exitCode() : chooseExitCode(result)
        if (exitCode !== exitCodes.done) return await refuse({ exitCode, message, next })
        host.stdout.print(formatSentence(message))
        host.stderr.print(formatNext(next))
        return exitCode
      } finally {
        stop.forget()
      }
    },
  })
}

/** Describes a submission intent, for the decision of a person. */
async function describeIntent(
  { state, commands }: AddressedSite,
  { clock }: Host,
): Promise<Result<QueryAnswer, Failure>> {
  const kept = await state.read()
  if (!kept.ok) return { ok: false, error: toStateFailure(kept.error) }
  const submission = kept.value?.submission
  if (submission === undefined || !isClearable(submission))
    return toAnswer({
      exitCode: exitCodes.done,
      message: `no open submission intent: ${describeSubmission(submission)}`,
    })
  const discard = commands.discardIntent(submission.nonce)
  const words = describeSubmission(submission)
  if (hasBegun(submission))
    return toAnswer({
      exitCode: exitCodes.done,
      message: `no open submission intent: ${words}`,
      next: [`only if the site was removed and must be created again: \`${discard}\``],
    })
  if (!isPending(submission))
    return toAnswer({
      exitCode: exitCodes.unknown,
      message: `configure: ${words}`,
      next: [suggestAfterRejection(commands.apply)],
    })
  const liveness = await state.liveness(submission.by)
  const now = await clock.machineTime?.()
  const vouched = maySend(submission) && liveness === 'elsewhere' ? ' --runner-is-gone' : ''
  return toAnswer({
    exitCode: exitCodes.unknown,
    message: `configure: ${removeFullStop(words)}${describeProof(submission, { liveness, now })}`,
    next: [
      `see the state of the site: \`${commands.status}\``,
      `if you are sure that the request did not reach the service: \`${discard}${vouched}\``,
    ],
  })
}

function toAnswer(value: QueryAnswer): Result<QueryAnswer, Failure> {
  return { ok: true, value }
}

function describeProof(
  submission: Submission,
  { liveness, now }: { readonly liveness: Liveness; readonly now: MachineTime | undefined },
): string {
  const who = `recorded by ${describeHolder(submission.by)} (${isThere[liveness]})`
  const { remainingMs, count } = computeDrain(submission, { machine: now })
  const left = formatDuration(remainingMs)
  const arrival =
    count === 'goes-on'
      ? `. It may still arrive for ${left}`
      : `. It may still arrive. The wait of ${left} starts when you run the command in step 2`
  return `; ${who}${remainingMs === 0 ? '' : arrival}`
}

const isThere = {
  alive: 'still running',
  dead: 'no longer running',
  elsewhere: livenessWords.elsewhere,
} as const satisfies Record<Liveness, string>

function chooseExitCode(result: Exclude<Cleared, { readonly kind: 'interrupted' }>): ExitCode {
  return result.kind === 'not-recorded' ? exitCodeOfState(result.failure) : codes[result.kind]
}

const codes = {
  cleared: exitCodes.done,
  kept: exitCodes.done,
  'another-site': exitCodes.stale,
  'nothing-to-clear': exitCodes.stale,
  another: exitCodes.stale,
  locked: exitCodes.locked,
  'may-still-send': exitCodes.locked,
  'too-early': exitCodes.stale,
  shows: exitCodes.stale,
  unproven: exitCodes.unknown,
  moved: exitCodes.stale,
} as const satisfies Record<Exclude<Cleared['kind'], 'interrupted' | 'not-recorded'>, ExitCode>

export const command = pair(declaration, discardIntent)
