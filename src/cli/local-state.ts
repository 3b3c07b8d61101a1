import { isLoopback } from '../manifest/site-url.js'
import type { Plan } from '../plan/plan.js'
import { exitCodes } from './exit-code.js'
import type { Host } from './host.js'
import type { Failure } from './output.js'
import type { Session } from './session.js'

/**
 * Why a CI system may not create a site with state on its own disk: it throws the disk away, and with it the promise by
 * which the next run knows that `configure` was sent. An emulator, which is all that is called without TLS, may.
 */
export function localStateFailure(
  { url, actions }: Plan,
  { state: { kind, where } }: Pick<Session, 'state'>,
  { environment }: Pick<Host, 'environment'>,
): Failure | undefined {
  const creates = actions.some(({ change }) => change === 'create')
  const { protocol, hostname } = new URL(url)
  const isEmulator = protocol === 'http:' && isLoopback(hostname)
  if (environment['CI'] === undefined || kind !== 'file' || !creates || isEmulator) return undefined
  return {
    exitCode: exitCodes.refused,
    message: `what is sent would be noted on this disk alone (${where}), and CI systems throw disks away: another run could not know of it; nothing was sent`,
    next: 'keep state where every run sees it, such as --state git:origin; where this disk lasts, add --accept-local-state',
  }
}
