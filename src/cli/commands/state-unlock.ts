import type { Liveness } from '../../plan/submission.js'
import { describeLock } from '../../report/outcome-text.js'
import { livenessWords } from '../../report/state/standing.js'
import type { ArgumentsOf } from '../command.js'
import type { stateUnlock as declaration } from '../declarations/state.js'
import { type ExitCode, exitCodes } from '../exit-code.js'
import type { Host } from '../host.js'
import { stateFailureOf } from '../site/failures.js'
import { atDesk } from '../site/open-session.js'
import { openSiteOrAddress } from '../site/open-site-or-address.js'
import { askFor } from '../terminal/interaction.js'

/** Removes the lock of a run that is gone, which the nonce names. Sends nothing to the site. */
export function stateUnlock(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const { nonce } = argv
  const open = () => openSiteOrAddress(argv, host)
  return atDesk({ ...argv, format: [] }, host, {
    formats: [],
    open,
    async work({ session: { url, state, commands }, refuse }) {
      const kept = await state.read()
      if (!kept.ok) return refuse(stateFailureOf(kept.error))
      const possession = await state.possession(kept.value)
      if (possession === undefined) {
        host.stdout.write('No run has the site.\n')
        return exitCodes.done
      }
      const { lock, liveness } = possession
      const held = `the site is locked by ${describeLock(lock)}; ${livenessWords[liveness]}`
      const wait = `wait for that run, or stop it, and then run \`${commands.apply}\``
      if (nonce === undefined)
        return refuse({
          exitCode: exitCodes.locked,
          message: held,
          next: next(liveness, { wait, apply: commands.apply, unlock: commands.unlock(lock.nonce) }),
        })
      if (nonce !== lock.nonce)
        return refuse({
          ...another,
          message: `${another.message}: ${held}`,
          next: commands.unlock(lock.nonce),
        })
      if (liveness === 'alive') return refuse({ exitCode: exitCodes.locked, message: held, next: wait })
      if (host.isInteractive && !argv['no-input'] && !argv.yes) {
        const text = `${held}. Remove its lock on ${url}? Only "yes" is taken as a yes: `
        const refusal = await askFor(host, { text, expected: 'yes', refusal: 'not removed: ' })
        if (refusal !== undefined) return refuse(refusal)
      }
      const removed = await state.unlock(nonce)
      if (!removed.ok) return refuse(stateFailureOf(removed.error))
      if (removed.value === 'another') return refuse({ ...another, next: commands.show })
      if (removed.value === 'alive') return refuse({ exitCode: exitCodes.locked, message: held, next: wait })
      host.stdout.write('The lock is removed; whatever that run had promised stays on record.\n')
      host.stderr.write(`next: ${commands.apply}\n`)
      return exitCodes.done
    },
  })
}

const another = {
  exitCode: exitCodes.stale,
  message: 'another run has the site by now, so nothing was removed',
} as const

interface Ways {
  readonly wait: string
  readonly apply: string
  readonly unlock: string
}

function next(liveness: Liveness, { wait, apply, unlock }: Ways): string {
  if (liveness === 'alive') return wait
  if (liveness === 'dead') return apply
  return `make sure that it is gone, then run \`${unlock}\``
}
