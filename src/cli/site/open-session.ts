import { dirname } from 'node:path'
import type { Route } from '../../client/route.js'
import { newestVersion, type ServiceVersion } from '../../contract/versions.js'
import type { Emulator } from '../../emulator/emulated-site.js'
import { loadSite } from '../../library/load-site.js'
import { offlineReader } from '../../library/make-plan.js'
import { type OpenedAddress, openAddress, openLoaded } from '../../library/open-loaded.js'
import type { RouteProblem } from '../../library/problem.js'
import { listFilePaths } from '../../library/site.js'
import { listNamedParameters, type TlsSettings } from '../../manifest/manifest.js'
import { display } from '../../report/display.js'
import type { NextCommands } from '../../report/endings/ending.js'
import { toFailure } from '../../report/endings/problems.js'
import { type ExitCode, UsageError } from '../../report/exit-code.js'
import type { Result } from '../../result.js'
import { checkPolicyNames, loadFailure, readSource, redactLines } from '../check/read-source.js'
import type { Arguments } from '../command.js'
import type { outOption, signInOption, storageOption, tokenOption } from '../command-options.js'
import type { Host } from '../host.js'
import type { Failure, OpenFailure } from '../terminal/output.js'
import { type CommandWork, type Openable, type OpenResult, withOpened } from '../with-opened.js'
import { parseLockTimeout } from './lock-timeout.js'
import { nextCommands } from './next-commands.js'
import { parseAccountOption, parseSecretOption, passwordOption } from './secret-option.js'
import type { ApplyArguments, SiteArguments, SiteSession } from './session.js'
import { checkSitePolicy, parseUrlOption } from './site-policy.js'
import { selectState } from './state-option.js'

/** Opens a site by its manifest, without a request. Reads no secrets except a client key and a PostgreSQL connection string. */
export async function openSession(args: SiteArguments, host: Host): Promise<OpenResult<SiteSession>> {
  const { file, offline = false } = args
  const { environment, clock } = host
  if (offline && args.emulate)
    throw new UsageError('--offline and --emulate exclude each other: --offline sends no request')
  const override = parseUrlOption(args)
  const chooseState = selectState(args, host)
  const reply = await readSource(host, file)
  if (!reply.ok) return { ok: false, error: { failure: reply.error } }
  const policies = args.policy && checkPolicyNames(args.policy)
  const instead = override === undefined ? undefined : ({ url: override, by: 'url-option' } as const)
  const read = await loadSite(reply.value, { file, policies, instead })
  if (!read.ok) return { ok: false, error: loadFailure(read.error) }
  const { value: loaded } = read
  const { manifest, sources } = loaded
  const readLines = redactLines(sources)
  // It is unknown whether the real service accepts the undocumented parameters of the manifest, so the emulated one does.
  const service = { version: manifest.site.version, accept: listNamedParameters(manifest.organization) }
  const rehearsal = await openRehearsal(args, service, host)
  if (!rehearsal.ok) return rehearsal
  const { value: emulator } = rehearsal
  const opened = await openLoaded<Failure>(loaded, {
    url: override,
    emulator,
    isOffline: offline,
    permit: url => checkSitePolicy(url, args, host),
    awaitLock: parseLockTimeout(override ?? manifest.site.url, args, host),
    chooseState,
    environment,
    clock,
  })
  if (!opened.ok) return { ok: false, error: { failure: explain(opened.error), readLines } }
  const { value: site } = opened
  if (args.verbose === true && emulator === undefined && !offline)
    host.stderr.print(`requests go ${describeRoute(site.url, site.route, manifest.site.tls)}\n`)
  return {
    ok: true,
    value: {
      ...loaded,
      ...site,
      ...(offline && { reader: offlineReader(site.state) }),
      readLines,
      commands: nextCommands(args),
      inputs: [
        ...sources.map(({ name }) => name),
        ...loaded.policies.map(one => one.file),
        ...listFilePaths(manifest, file === '-' ? '.' : dirname(file)),
      ],
      close: closeBoth(site, emulator),
    },
  }
}

function describeRoute(url: string, { proxy }: Route, tls: TlsSettings | undefined): string {
  const words = [
    `to ${new URL(url).origin}`,
    ...(proxy === undefined ? ['directly'] : [`through the proxy ${proxy.host} (${proxy.variable})`]),
    ...(tls?.caFile === undefined ? [] : [`trusting ${tls.caFile} too`]),
    ...(tls?.client === undefined ? [] : [`showing ${tls.client.certificate}`]),
  ]
  return words.map(text => display(text)).join(', ')
}

function explain(problem: RouteProblem | Failure): Failure {
  return 'kind' in problem ? toFailure(problem) : problem
}

function closeBoth(site: Pick<OpenedAddress, 'close'>, emulator: Emulator | undefined) {
  return async () => {
    site.close()
    await emulator?.close()
  }
}

/** The values of the options for reports, and of those for other files to read or write. */
interface ReportArguments
  extends Pick<ApplyArguments, 'format' | 'color'>,
    Partial<Pick<ApplyArguments, 'events' | 'policy'>>,
    Partial<Arguments<typeof storageOption & typeof outOption>> {
  readonly file?: string | undefined
}

/** Opens a site with `open`, runs the command, and closes the site. */
export function withSite<S extends Openable, F extends string>(
  argv: ReportArguments,
  host: Host,
  site: Omit<CommandWork<S, F>, 'reads' | 'writes'>,
): Promise<ExitCode> {
  const reads = [argv.file, argv['storage-classes'], ...(argv.policy ?? [])]
  return withOpened(argv, host, { ...site, reads, writes: [argv.events, argv.out] })
}

/** The values of the options that name a site by its manifest or by its address alone. */
interface SiteOrAddressArguments
  extends Omit<SiteArguments, 'file' | 'emulate' | 'scenario'>,
    Partial<Pick<SiteArguments, 'emulate' | 'scenario'>>,
    Partial<Arguments<ReturnType<typeof tokenOption> & typeof signInOption>> {
  readonly file: string | undefined
  /** The name and the folder of a manifest that is about to be written. */
  readonly about?: { readonly name: string; readonly folder: string }
}

/** A session that may have only the address of the site: no manifest, and perhaps no token. */
export type AddressedSite = Omit<OpenedAddress, 'stateLocation' | 'close'> &
  Pick<SiteSession, 'warnings' | 'readLines' | 'close'> &
  Partial<Pick<SiteSession, 'manifest' | 'inputs'>> & { readonly commands: NextCommands }

/** Opens a site by its manifest, by `--url`, or as a private emulator. Sends and reads no more than `openSession`. */
export async function openSiteOrAddress(
  given: SiteOrAddressArguments,
  host: Host,
  service: RehearsedService = { version: newestVersion },
): Promise<OpenResult<AddressedSite>> {
  const args = { emulate: false, scenario: [], ...given }
  const { file } = args
  if (file === undefined) return openByAddress(args, host, service)
  if (args['sign-in'] !== undefined)
    throw new UsageError('--sign-in is for a site without a manifest; write `spec.site.signIn` in this one')
  return openSession({ ...args, file }, host)
}

async function openByAddress(
  args: Omit<SiteArguments, 'file'> & Pick<SiteOrAddressArguments, 'about' | 'sign-in' | 'token'>,
  host: Host,
  service: RehearsedService,
): Promise<OpenResult<AddressedSite>> {
  const given = parseUrlOption(args)
  const chooseState = selectState(args, host)
  const rehearsal = await openRehearsal(args, service, host)
  if (!rehearsal.ok) return rehearsal
  const { value: emulator } = rehearsal
  const url = emulator?.url ?? given
  if (url === undefined) throw new UsageError('name a manifest, or the site itself with --url')
  const account = parseAccountOption(args['sign-in'])
  const token = parseSecretOption('token', args.token)
  // Without a manifest, the only known secrets are those of options, and the variable that a sign-in reads by default.
  const named = [passwordOption, token, account && { ...passwordOption, reference: account.password }]
  const { name, folder = '.' } = args.about ?? {}
  const address = { url, folder, name, account, named: named.filter(one => one !== undefined) }
  const permit = (called: string) => checkSitePolicy(called, args, host)
  const { environment, clock } = host
  const awaitLock = parseLockTimeout(url, args, host)
  const options = { emulator, permit, awaitLock, chooseState, environment, clock }
  const opened = await openAddress<Failure>(address, options)
  if (!opened.ok) return { ok: false, error: { failure: explain(opened.error) } }
  return {
    ok: true,
    value: {
      ...opened.value,
      commands: nextCommands({ ...args, file: undefined }),
      warnings: [],
      readLines: () => undefined,
      close: closeBoth(opened.value, emulator),
    },
  }
}

/** The service that the emulator implements, unless a scenario sets another. */
interface RehearsedService {
  readonly version: ServiceVersion
  /** Undocumented parameters of the manifest. */
  readonly accept?: readonly string[]
}

/** Starts a private emulator with its scenarios. Without `--emulate`, it does not even load the emulator. */
async function openRehearsal(
  { emulate, scenario }: Pick<SiteArguments, 'emulate' | 'scenario'>,
  service: RehearsedService,
  host: Host,
): Promise<Result<Emulator | undefined, OpenFailure>> {
  if (!emulate && scenario.length > 0) throw new UsageError('--scenario is for the emulator; add --emulate')
  if (!emulate) return { ok: true, value: undefined }
  const { selectScenarios } = await import('../emulator/emulator-options.js')
  const chosen = await selectScenarios(scenario, [], host)
  if (!chosen.ok) return chosen
  const { now, sleep: wait } = host.clock
  const field = { ...chosen.value.field, anyToken: true }
  const { startEmulator } = await import('../../emulator/server.js')
  return { ok: true, value: await startEmulator({ ...service, ...chosen.value, field, now, wait }) }
}
