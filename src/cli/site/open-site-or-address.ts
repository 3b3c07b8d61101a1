import { randomBytes } from 'node:crypto'
import { newestVersion } from '../../contract/versions.js'
import { keptState } from '../../library/open-state.js'
import { routeTo } from '../../library/route-to.js'
import { statePorts } from '../../library/state-ports.js'
import { normalizedSiteUrl } from '../../manifest/site-url.js'
import type { NextCommands } from '../../report/outcome-text.js'
import { rehearsalSource, secretSource } from '../../secrets/secret-source.js'
import { noToken } from '../../secrets/token-loan.js'
import { openRehearsal, type RehearsedService } from '../emulator/rehearsal.js'
import type { Host } from '../host.js'
import type { Failure } from '../terminal/output.js'
import { UsageError } from '../usage-error.js'
import { routeFailure } from './failures.js'
import { nextCommands } from './next-commands.js'
import { openSession } from './open-session.js'
import type { Opened, RehearsalArguments, Session, SiteArguments } from './session.js'
import { overriddenUrl, policyFailure } from './site-policy.js'
import { chosenState } from './state-option.js'

/** The values of the options that say which site, by its manifest or by its address alone. */
export interface SiteOrAddressArguments
  extends Omit<SiteArguments, 'file' | keyof RehearsalArguments>,
    Partial<RehearsalArguments> {
  readonly file: string | undefined
}

/** A session in which perhaps only the address of the site is known, so it may have no token. */
export type AddressedSite = Pick<
  Session,
  'url' | 'route' | 'secrets' | 'lendToken' | 'state' | 'warnings' | 'linesOf' | 'close'
> &
  Partial<Pick<Session, 'manifest' | 'inputs'>> & { readonly commands: NextCommands }

/**
 * Opens a manifest or, where none is named, the site of `--url` or a private emulator (`--emulate`), which then is of `service`.
 * Nothing is sent, and no secret is read but the key of a client certificate.
 */
export async function openSiteOrAddress(
  given: SiteOrAddressArguments,
  host: Host,
  service: RehearsedService = { version: newestVersion },
): Promise<Opened<AddressedSite>> {
  const args = { emulate: false, scenario: [], ...given }
  const { file } = args
  return file === undefined ? openAddress(args, host, service) : openSession({ ...args, file }, host)
}

async function openAddress(
  args: Omit<SiteArguments, 'file'>,
  host: Host,
  service: RehearsedService,
): Promise<Opened<AddressedSite>> {
  const linesOf = () => undefined
  const reject = (failure: Failure): Opened<never> => ({ ok: false, error: { failure, linesOf } })
  const given = overriddenUrl(args)
  const stateIn = chosenState(args, host)
  const rehearsal = await openRehearsal(args, service, host)
  if (!rehearsal.ok) return rehearsal
  const { value: emulator } = rehearsal
  const address = emulator?.url ?? given
  if (address === undefined) throw new UsageError('name a manifest, or the site itself with --url')
  const url = normalizedSiteUrl(address)
  const failure = emulator === undefined ? policyFailure(url, args, host) : undefined
  if (failure !== undefined) return reject(failure)
  const { environment, clock } = host
  const real = secretSource(environment, '.')
  const reached = await routeTo(url, { secrets: real, environment })
  if (!reached.ok) return reject(routeFailure(reached.error))
  const chosen = await stateIn({ url, folder: '.' })
  if (!chosen.ok) return reject(chosen.error)
  const { backend, open } = chosen.value
  return {
    ok: true,
    value: {
      url,
      route: reached.value,
      secrets: emulator === undefined ? real : rehearsalSource(real, () => randomBytes(12).toString('hex')),
      lendToken: noToken,
      state: keptState(backend, { url }, { ports: statePorts(clock), environment, open }),
      commands: nextCommands({ ...args, file: undefined }),
      warnings: [],
      linesOf,
      close: async () => emulator?.close(),
    },
  }
}
