import type { Route } from '../../client/route.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { keptState } from '../../library/open-state.js'
import { statePorts } from '../../library/state-ports.js'
import type { LinesOf } from '../../report/findings/diagnostics-text.js'
import type { NextCommands } from '../../report/outcome-text.js'
import { noToken, type TokenLoan } from '../../secrets/token-loan.js'
import type { StateStore } from '../../state/state-store.js'
import type { Host } from '../host.js'
import { nextCommands } from './next-commands.js'
import { openAddress } from './open-address.js'
import { type Opened, openSession } from './session.js'
import { chosenState } from './state-option.js'

/** The values of the options that say whose state is meant. */
export interface KeptArguments {
  readonly file: string | undefined
  readonly url: string | undefined
  readonly 'allow-origin': readonly string[]
  readonly state: string | undefined
}

/** The state of a site, from a manifest or from its address alone. */
export interface KeptSite {
  readonly url: string
  readonly state: StateStore
  readonly route: Route
  /** Lends the token of the site to who looks at it; none where there is no manifest. */
  readonly lendToken: TokenLoan
  readonly commands: NextCommands
  readonly warnings: readonly Diagnostic[]
  readonly linesOf: LinesOf
  readonly inputs?: readonly string[]
  close(): Promise<void>
}

/** Opens what the options name. Nothing is sent, and no secret is read. */
export async function openState(given: KeptArguments, host: Host): Promise<Opened<KeptSite>> {
  const args = { ...given, emulate: false, scenario: [] }
  const { file } = args
  if (file !== undefined) return openSession({ ...args, file }, host)
  const stateIn = chosenState(args, host)
  const opened = await openAddress(args, host)
  if (!opened.ok) return opened
  const { url } = opened.value
  const chosen = await stateIn({ url, folder: '.' })
  if (!chosen.ok) return { ok: false, error: { failure: chosen.error, linesOf: opened.value.linesOf } }
  const state = keptState(
    chosen.value.backend,
    { url },
    { ports: statePorts(host.clock), environment: host.environment, open: chosen.value.open },
  )
  return {
    ok: true,
    value: { ...opened.value, state, lendToken: noToken, commands: nextCommands(args) },
  }
}
