import { randomBytes } from 'node:crypto'
import { newestVersion } from '../../contract/versions.js'
import { openStateStore } from '../../library/open-state.js'
import { chooseRoute } from '../../library/route-to.js'
import { statePorts } from '../../library/state-ports.js'
import { normalizeSiteUrl } from '../../manifest/site-url.js'
import type { NextCommands } from '../../report/outcome-text.js'
import { rehearsalSource, secretSource } from '../../secrets/secret-source.js'
import { noToken } from '../../secrets/token-provider.js'
import { openRehearsal, type RehearsedService } from '../emulator/rehearsal.js'
import { UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import type { Failure } from '../terminal/output.js'
import { toRouteFailure } from './failures.js'
import { nextCommands } from './next-commands.js'
import { openSession } from './open-session.js'
import type { OpenResult, RehearsalArguments, SiteArguments, SiteSession } from './session.js'
import { checkSitePolicy, parseUrlOption } from './site-policy.js'
import { selectState } from './state-option.js'

/** The values of the options that say which site, by its manifest or by its address alone. */
export interface SiteOrAddressArguments
  extends Omit<SiteArguments, 'file' | keyof RehearsalArguments>,
    Partial<RehearsalArguments> {
  readonly file: string | undefined
  /** What a manifest would say that is about to be written: its name, and its folder. */
  readonly about?: { readonly name: string; readonly folder: string }
}

/** A session in which perhaps only the address of the site is known, so it may have no token. */
export type AddressedSite = Pick<
  SiteSession,
  'url' | 'route' | 'secrets' | 'provideToken' | 'state' | 'warnings' | 'readLines' | 'close'
> &
  Partial<Pick<SiteSession, 'manifest' | 'inputs'>> & { readonly commands: NextCommands }

/**
 * Opens a manifest or, where none is named, the site of `--url` or a private emulator (`--emulate`), which then is of `service`.
 * Nothing is sent, and no secret is read but the key of a client certificate.
 */
export async function openSiteOrAddress(
  given: SiteOrAddressArguments,
  host: Host,
  service: RehearsedService = { version: newestVersion },
): Promise<OpenResult<AddressedSite>> {
  const args = { emulate: false, scenario: [], ...given }
  const { file } = args
  return file === undefined ? openAddress(args, host, service) : openSession({ ...args, file }, host)
}

async function openAddress(
  args: Omit<SiteArguments, 'file'> & Pick<SiteOrAddressArguments, 'about'>,
  host: Host,
  service: RehearsedService,
): Promise<OpenResult<AddressedSite>> {
  const readLines = () => undefined
  const reject = (failure: Failure): OpenResult<never> => ({ ok: false, error: { failure, readLines } })
  const given = parseUrlOption(args)
  const stateIn = selectState(args, host)
  const rehearsal = await openRehearsal(args, service, host)
  if (!rehearsal.ok) return rehearsal
  const { value: emulator } = rehearsal
  const address = emulator?.url ?? given
  if (address === undefined) throw new UsageError('name a manifest, or the site itself with --url')
  const url = normalizeSiteUrl(address)
  const failure = emulator === undefined ? checkSitePolicy(url, args, host) : undefined
  if (failure !== undefined) return reject(failure)
  const { environment, clock } = host
  const real = secretSource(environment, '.')
  const reached = await chooseRoute(url, { secrets: real, environment })
  if (!reached.ok) return reject(toRouteFailure(reached.error))
  const chosen = await stateIn({ url, folder: args.about?.folder ?? '.' })
  if (!chosen.ok) return reject(chosen.error)
  const { backend, open } = chosen.value
  return {
    ok: true,
    value: {
      url,
      route: reached.value,
      secrets: emulator === undefined ? real : rehearsalSource(real, () => randomBytes(12).toString('hex')),
      provideToken: noToken,
      state: openStateStore(
        backend,
        { url, name: args.about?.name },
        { ports: statePorts(clock), environment, open },
      ),
      commands: nextCommands({ ...args, file: undefined }),
      warnings: [],
      readLines,
      close: async () => emulator?.close(),
    },
  }
}
