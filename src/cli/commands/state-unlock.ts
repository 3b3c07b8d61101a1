import { toStateFailure } from '../../report/endings/state.js'
import { type ExitCode, exitCodes } from '../../report/exit-code.js'
import { describeLocked } from '../../report/state-summary.js'
import { type ArgumentsOf, declare, flag, pair, text } from '../command.js'
import { keptOptions, targetArgument } from '../command-options.js'
import type { Host } from '../host.js'
import { openSiteOrAddress, withSite } from '../site/open-session.js'
import { askFor } from '../terminal/interaction.js'
import { printAnswer } from '../terminal/output.js'

const declaration = declare({
  name: 'state unlock',
  describe: 'Show the run that locks a site, or remove the lock of a run that is gone',
  touches: 'changes',
  arguments: [targetArgument],
  options: {
    nonce: text('NONCE', 'Lock to remove; without it, show the run that locks the site'),
    yes: flag('Do not ask for confirmation'),
    ...keptOptions,
  },
  examples: [
    ['state unlock site.yaml', 'see the run that locks the site, and how to remove its lock'],
    ['state unlock site.yaml --nonce 5f0c…', 'remove the lock of a run that is gone'],
  ],
})

/** Removes the lock with this nonce, of a run that is gone. Sends nothing to the site. */
function stateUnlock(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const { nonce } = argv
  return withSite({ ...argv, format: [] }, host, {
    formats: [],
    open: () => openSiteOrAddress(argv, host),
    async work({ session: { url, state, commands }, refuse }) {
      const kept = await state.read()
      if (!kept.ok) return refuse(toStateFailure(kept.error, commands))
      const lockOwner = await state.lockOwner(kept.value)
      if (lockOwner === undefined) {
        host.stdout.print('No lock: no run is working on this site.\n')
        return exitCodes.done
      }
      const { lock, liveness } = lockOwner
      const held = describeLocked(lock, liveness)
      const wait = `wait for that run, or stop it, and then run \`${commands.apply}\``
      if (nonce === undefined) {
        const next = {
          alive: wait,
          dead: commands.apply,
          elsewhere: `make sure that it is gone, then run \`${commands.unlock(lock.nonce)}\``,
        }[liveness]
        return printAnswer(host, { exitCode: exitCodes.locked, message: held, next: [next] }, argv.color)
      }
      if (nonce !== lock.nonce)
        return refuse({
          ...another,
          message: `${another.message}: ${held}`,
          next: [commands.unlock(lock.nonce)],
        })
      if (liveness === 'alive') return refuse({ exitCode: exitCodes.locked, message: held, next: [wait] })
      if (host.isInteractive && !argv['no-input'] && !argv.yes) {
        const text = `${held}. Remove its lock on ${url}? Type \`yes\` to confirm: `
        const rejection = await askFor(host, { text, expected: 'yes', prefix: 'not removed: ' })
        if (rejection !== undefined) return refuse(rejection)
      }
      const removed = await state.unlock(nonce)
      if (!removed.ok) return refuse(toStateFailure(removed.error, commands))
      if (removed.value === 'another') return refuse({ ...another, next: [commands.show] })
      if (removed.value === 'alive')
        return refuse({ exitCode: exitCodes.locked, message: held, next: [wait] })
      host.stdout.print('Lock removed. A submission intent of that run stays recorded.\n')
      host.stderr.print(`next: ${commands.apply}\n`)
      return exitCodes.done
    },
  })
}

const another = {
  exitCode: exitCodes.stale,
  message: 'another run locks the site now; nothing was removed',
} as const

export const command = pair(declaration, stateUnlock)
