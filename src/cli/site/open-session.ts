import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { createSignInProvider } from '../../client/sign-in-provider.js'
import { newestVersion, type ServiceVersion } from '../../contract/versions.js'
import type { Emulator } from '../../emulator/emulated-site.js'
import { assembleSite, chooseRoute, createRedaction } from '../../library/assemble-site.js'
import { loadSite } from '../../library/load-site.js'
import { offlineReader } from '../../library/make-plan.js'
import { openStateStore } from '../../library/open-state.js'
import { listFilePaths, openSecrets } from '../../library/site.js'
import { statePorts } from '../../library/system-ports.js'
import { listNamedParameters, type Manifest, type SecretReference } from '../../manifest/manifest.js'
import { normalizeSiteUrl } from '../../manifest/site-url.js'
import { type ExitCode, UsageError } from '../../report/exit-code.js'
import type { ReadLines } from '../../report/findings-text.js'
import type { NextCommands } from '../../report/outcomes.js'
import type { Result } from '../../result.js'
import { rehearsalSource, secretSource } from '../../secrets/secret-source.js'
import { createTokenProvider, noToken } from '../../secrets/token-provider.js'
import { checkPolicyNames, loadFailure, readSource, redactLines } from '../check/read-source.js'
import type { ArgumentsOf } from '../command.js'
import type { plan, probe } from '../declarations/sites.js'
import type { Host } from '../host.js'
import type { Failure, OpenFailure } from '../terminal/output.js'
import type { CommandContext, OpenResult } from '../with-opened.js'
import { type Openable, withOpened } from '../with-opened.js'
import { reportRoute, toFailure } from './failures.js'
import { nextCommands } from './next-commands.js'
import { parseAccountOption, parseSecretOption, passwordOption } from './secret-option.js'
import type { ApplyArguments, SiteArguments, SiteSession } from './session.js'
import { checkSitePolicy, parseUrlOption } from './site-policy.js'
import { selectState } from './state-option.js'

/** Opens a site by its manifest. Sends nothing, and reads no secret but the key of a client certificate. */
export async function openSession(args: SiteArguments, host: Host): Promise<OpenResult<SiteSession>> {
  const reject = (failure: Failure, readLines?: ReadLines): OpenResult<SiteSession> => ({
    ok: false,
    error: { failure, ...(readLines && { readLines }) },
  })
  const { offline = false } = args
  if (offline && args.emulate)
    throw new UsageError('--offline and --emulate exclude each other: --offline sends no request')
  const override = parseUrlOption(args)
  const stateIn = selectState(args, host)
  const reply = await readSource(host, args.file)
  if (!reply.ok) return reject(reply.error)
  const { file } = args
  const policies = args.policy && checkPolicyNames(args.policy)
  const instead = override === undefined ? undefined : ({ url: override, by: 'url-option' } as const)
  const read = await loadSite(reply.value, { file, policies, instead })
  if (!read.ok) return { ok: false, error: loadFailure(read.error) }
  const { value: loaded } = read
  const { manifest, sources } = loaded
  const readLines = redactLines(sources)
  const folder = args.file === '-' ? '.' : dirname(args.file)
  const rehearsal = await openRehearsal(args, buildRehearsedService(manifest), host)
  if (!rehearsal.ok) return rehearsal
  const { value: emulator } = rehearsal
  const address = emulator?.url ?? override ?? manifest.site.url
  const url = normalizeSiteUrl(address)
  const policy = emulator === undefined ? checkSitePolicy(url, args, host) : undefined
  if (policy !== undefined) return reject(policy, readLines)
  const real = openSecrets(manifest, { folder, environment: host.environment })
  const secrets = emulator === undefined ? real : rehearsalSource(real, () => randomBytes(12).toString('hex'))
  const chosen = await stateIn({ url, folder, manifest })
  if (!chosen.ok) return reject(chosen.error, readLines)
  const site = await assembleSite(loaded, {
    address,
    answers: emulator !== undefined ? 'emulator' : offline ? 'nobody' : 'site',
    secrets,
    files: real,
    provideToken:
      emulator && createTokenProvider(manifest.site.token ?? selectRehearsalToken(manifest), secrets),
    state: chosen.value,
    environment: host.environment,
    clock: host.clock,
  })
  if (!site.ok) return reject(toFailure(site.error), readLines)
  const { route, state } = site.value
  if (args.verbose === true && emulator === undefined && !offline)
    reportRoute(url, route, manifest.site.tls, host)
  return {
    ok: true,
    value: {
      ...loaded,
      ...site.value,
      ...(offline && { reader: offlineReader(state) }),
      readLines,
      commands: nextCommands(args),
      inputs: [
        ...sources.map(({ name }) => name),
        ...loaded.policies.map(one => one.file),
        ...listFilePaths(manifest, folder),
      ],
      async close() {
        site.value.close()
        await emulator?.close()
      },
    },
  }
}

/** Returns a placeholder for the token that signing in would obtain, in a rehearsal. */
function selectRehearsalToken({ site }: Manifest): SecretReference | undefined {
  return site.signIn && { env: 'LANDFORM_TOKEN' }
}

/**
 * Describes the emulated service of a rehearsal: it accepts undocumented parameters of the manifest, since nothing
 * says whether the real service does.
 */
function buildRehearsedService({ site, organization }: Manifest): RehearsedService {
  return { version: site.version, accept: listNamedParameters(organization) }
}

/** The values of the options of a report, and of those that name other files to read or write. */
interface ReportArguments
  extends Pick<ApplyArguments, 'format' | 'color'>,
    Partial<Pick<ApplyArguments, 'events' | 'policy'>>,
    Partial<Pick<ArgumentsOf<typeof plan>, 'storage-classes' | 'out'>> {
  readonly file?: string | undefined
}

interface SiteWork<S, F extends string> {
  readonly formats: readonly F[]
  readonly replaces?: readonly (string | undefined)[]
  open(): Promise<OpenResult<S>>
  work(context: CommandContext<S, F>): Promise<ExitCode>
}

/** Opens a site with `open`, runs the command, and closes the site. */
export function withSite<S extends Openable, F extends string>(
  argv: ReportArguments,
  host: Host,
  site: SiteWork<S, F>,
): Promise<ExitCode> {
  const reads = [argv.file, argv['storage-classes'], ...(argv.policy ?? [])]
  return withOpened(argv, host, { ...site, reads, writes: [argv.events, argv.out] })
}

/** The values of the options that say which site, by its manifest or by its address alone. */
interface SiteOrAddressArguments
  extends Omit<SiteArguments, 'file' | 'emulate' | 'scenario'>,
    Partial<Pick<SiteArguments, 'emulate' | 'scenario'>>,
    Partial<Pick<ArgumentsOf<typeof probe>, 'token' | 'sign-in'>> {
  readonly file: string | undefined
  /** The name and the folder of a manifest that is about to be written. */
  readonly about?: { readonly name: string; readonly folder: string }
}

/** A session in which perhaps only the address of the site is known, so it may have no token. */
export type AddressedSite = Pick<
  SiteSession,
  'url' | 'route' | 'secrets' | 'provideToken' | 'signsIn' | 'state' | 'warnings' | 'readLines' | 'close'
> &
  Partial<Pick<SiteSession, 'manifest' | 'inputs'>> & { readonly commands: NextCommands }

/**
 * Opens a site by its manifest, or without one by `--url` or as a private emulator of `service`. Sends nothing, and reads no
 * secret but the key of a client certificate.
 */
export async function openSiteOrAddress(
  given: SiteOrAddressArguments,
  host: Host,
  service: RehearsedService = { version: newestVersion },
): Promise<OpenResult<AddressedSite>> {
  const args = { emulate: false, scenario: [], ...given }
  const { file } = args
  if (file === undefined) return openAddress(args, host, service)
  if (args['sign-in'] !== undefined)
    throw new UsageError('--sign-in is for a site without a manifest, which says it in `spec.site.signIn`')
  return openSession({ ...args, file }, host)
}

async function openAddress(
  args: Omit<SiteArguments, 'file'> & Pick<SiteOrAddressArguments, 'about' | 'sign-in' | 'token'>,
  host: Host,
  service: RehearsedService,
): Promise<OpenResult<AddressedSite>> {
  const reject = (failure: Failure): OpenResult<never> => ({ ok: false, error: { failure } })
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
  const account = parseAccountOption(args['sign-in'])
  const real = secretSource(environment, '.')
  const reached = await chooseRoute(address, { secrets: real, environment })
  if (!reached.ok) return reject(toFailure(reached.error))
  const chosen = await stateIn({ url, folder: args.about?.folder ?? '.' })
  if (!chosen.ok) return reject(chosen.error)
  const { backend, open } = chosen.value
  const token = parseSecretOption('token', args.token)
  // Without a manifest, only the secrets of options are known, and the variable that a sign-in reads by default.
  const named = [passwordOption, token, account && { ...passwordOption, reference: account.password }]
  const route =
    emulator === undefined
      ? {
          ...reached.value,
          redaction: createRedaction(
            named.filter(one => one !== undefined),
            real,
          ),
        }
      : reached.value
  const signIn =
    account && emulator === undefined
      ? createSignInProvider({ url, route, account, secrets: real, clock, named: noToken })
      : undefined
  return {
    ok: true,
    value: {
      url,
      route,
      secrets: emulator === undefined ? real : rehearsalSource(real, () => randomBytes(12).toString('hex')),
      provideToken: signIn?.provide ?? noToken,
      signsIn: signIn !== undefined,
      state: openStateStore(
        backend,
        { url, name: args.about?.name },
        { ports: statePorts(clock), environment: emulator === undefined ? environment : undefined, open },
      ),
      commands: nextCommands({ ...args, file: undefined }),
      warnings: [],
      readLines: () => undefined,
      async close() {
        signIn?.close()
        await emulator?.close()
      },
    },
  }
}

/** The service that the emulator plays, unless a scenario sets another. */
interface RehearsedService {
  readonly version: ServiceVersion
  /** Parameters of the manifest beside the documented ones. */
  readonly accept?: readonly string[]
}

type Rehearsal = Result<Emulator | undefined, OpenFailure>

/**
 * Starts a private emulator with its scenarios; loads and starts none without `--emulate`.
 */
async function openRehearsal(
  { emulate, scenario }: Pick<SiteArguments, 'emulate' | 'scenario'>,
  service: RehearsedService,
  host: Host,
): Promise<Rehearsal> {
  if (!emulate && scenario.length > 0) throw new UsageError('--scenario is for the emulator; add --emulate')
  if (!emulate) return { ok: true, value: undefined }
  const { selectScenarios: chosenScenarios } = await import('../emulator/emulator-options.js')
  const chosen = await chosenScenarios(scenario, [], host)
  if (!chosen.ok) return chosen
  const { now, sleep: wait } = host.clock
  const field = { ...chosen.value.field, anyToken: true }
  const { startEmulator } = await import('../../emulator/server.js')
  return { ok: true, value: await startEmulator({ ...service, ...chosen.value, field, now, wait }) }
}
