import { clearSubmission, isClearable, maySend } from '../../apply/clear-submission.js'
import { computeDrain } from '../../apply/drain.js'
import { readSiteDate, siteReader } from '../../client/site-reader.js'
import type { MachineTime, Submission } from '../../plan/generated/state.js'
import { hasBegun, isPending, type Liveness } from '../../plan/submission.js'
import { suggestAfterRejection } from '../../report/endings/apply.js'
import { describeClearStep, endOfClearing } from '../../report/endings/cleared.js'
import { toStateFailure } from '../../report/endings/state.js'
import { type ExitCode, exitCodes } from '../../report/exit-code.js'
import { formatDuration, formatSentence, removeFullStop } from '../../report/phrase.js'
import { describeHolder, describeSubmission, livenessWords } from '../../report/state-summary.js'
import { formatNext } from '../../report/terminal.js'
import { type ArgumentsOf, declare, flag, pair, text } from '../command.js'
import { keptOptions, lockOption, targetArgument } from '../command-options.js'
import type { Host } from '../host.js'
import { type AddressedSite, openSiteOrAddress, withSite } from '../site/open-session.js'
import { stopSignal } from '../terminal/interaction.js'
import { printAnswer, type QueryAnswer } from '../terminal/output.js'
import { drain } from '../terminal/progress.js'

const declaration = declare({
  name: 'state discard-intent',
  describe: 'Discard a submission intent proven not to have reached the service',
  touches: 'changes',
  arguments: [targetArgument],
  options: {
    intent: text('NONCE', 'Submission intent to discard; without it, show its state'),
    'runner-is-gone': flag('Assert that the run is gone for good; a paused process could still send'),
    'site-is': text('WHICH', 'Site that now responds with another version or build', {
      choices: ['upgraded', 'another'],
    }),
    wait: flag('Wait until the request can no longer arrive'),
    ...lockOption,
    ...keptOptions,
  },
  examples: [
    ['state discard-intent site.yaml', 'see the state of the request'],
    [
      'state discard-intent site.yaml --intent 5f0c… --wait',
      'wait until it can no longer arrive, then discard it',
    ],
  ],
})

/**
 * Discards a submission intent that did not reach the service, so that the next apply may send the request. Sends only
 * GET requests and the sign-in request.
 */
function discardIntent(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  return withSite({ ...argv, format: [] }, host, {
    formats: [],
    open: () => openSiteOrAddress(argv, host),
    async work({ session, refuse }) {
      const { intent } = argv
      if (intent === undefined) {
        const kept = await session.state.read()
        if (!kept.ok) return refuse(toStateFailure(kept.error, session.commands))
        return printAnswer(host, await describeIntent(kept.value?.submission, session, host), argv.color)
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
        const { 'runner-is-gone': isRunnerGone, 'site-is': siteIs, wait: waits } = argv
        const options = { nonce: intent, isRunnerGone, siteIs, waits, signal }
        const result = await drain(clearSubmission(ports, options), step => {
          if (!argv.quiet) host.stderr.print(`${describeClearStep(step)}\n`)
        })
        const { exit, exitCode, say: message, next: suggest } = endOfClearing(result)
        const next = suggest(commands)
        if (exit === 'interrupted') return await refuse({ exitCode: stop.exitCode(), message, next })
        if (exit !== 'done') return await refuse({ exitCode, message, next })
        host.stdout.print(formatSentence(message))
        host.stderr.print(formatNext(next))
        return exitCode
      } finally {
        stop.forget()
      }
    },
  })
}

/** Describes a submission intent, so that a person can decide. */
async function describeIntent(
  submission: Submission | undefined,
  { state, commands }: AddressedSite,
  { clock }: Host,
): Promise<QueryAnswer> {
  const words = describeSubmission(submission)
  const none = { exitCode: exitCodes.done, message: `no open submission intent: ${words}` }
  if (submission === undefined || !isClearable(submission)) return none
  const discard = commands.discardIntent(submission.nonce)
  if (hasBegun(submission))
    return { ...none, next: [`only if the site was removed and must be created again: \`${discard}\``] }
  if (!isPending(submission))
    return {
      exitCode: exitCodes.unknown,
      message: `configure: ${words}`,
      next: [suggestAfterRejection(commands.apply)],
    }
  const liveness = await state.liveness(submission.by)
  const now = await clock.machineTime?.()
  const vouched = maySend(submission) && liveness === 'elsewhere' ? ' --runner-is-gone' : ''
  return {
    exitCode: exitCodes.unknown,
    message: `configure: ${removeFullStop(words)}${describeProof(submission, { liveness, now })}`,
    next: [
      `see the state of the site: \`${commands.status}\``,
      `if you are sure that the request did not reach the service: \`${discard}${vouched}\``,
    ],
  }
}

function describeProof(
  submission: Submission,
  { liveness, now }: { readonly liveness: Liveness; readonly now: MachineTime | undefined },
): string {
  const who = `. Recorded by ${describeHolder(submission.by)} (${isThere[liveness]})`
  const { remainingMs, count } = computeDrain(submission, { machine: now })
  const left = formatDuration(remainingMs)
  const arrival =
    count === 'goes-on'
      ? `. It may still arrive for ${left}`
      : `. It may still arrive. The wait of ${left} starts when you run the command in step 2`
  return `${who}${remainingMs === 0 ? '' : arrival}`
}

const isThere = {
  alive: 'still running',
  dead: 'no longer running',
  elsewhere: livenessWords.elsewhere,
} as const satisfies Record<Liveness, string>

export const command = pair(declaration, discardIntent)
