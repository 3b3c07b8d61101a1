import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { assembleSite } from '../../library/assemble-site.js'
import { loadSite } from '../../library/load-site.js'
import { offlineReader } from '../../library/offline-reader.js'
import { openSecrets } from '../../library/site.js'
import { listNamedParameters, type Manifest, type SecretReference } from '../../manifest/manifest.js'
import { normalizeSiteUrl } from '../../manifest/site-url.js'
import { formatDiagnostics, type ReadLines } from '../../report/findings/diagnostics-text.js'
import { listLicenseFiles, listTlsFiles } from '../../secrets/needed-references.js'
import { rehearsalSource } from '../../secrets/secret-source.js'
import { createTokenProvider } from '../../secrets/token-provider.js'
import { checkPolicyNames, loadFailure, readSource, redactLines } from '../check/read-source.js'
import { siteFormats } from '../declarations/options.js'
import { openRehearsal, type RehearsedService } from '../emulator/rehearsal.js'
import { type ExitCode, UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import { parseTargets } from '../options.js'
import {
  type ColorChoice,
  checkReportPaths,
  checkReports,
  type Failure,
  fail,
  paintFor,
} from '../terminal/output.js'
import { reportRoute, toRouteFailure } from './failures.js'
import { nextCommands } from './next-commands.js'
import type { CommandContext, OpenResult, SiteArguments, SiteSession } from './session.js'
import { checkSitePolicy, parseUrlOption } from './site-policy.js'
import { selectState } from './state-option.js'

/** Opens what the options name. Nothing is sent, and no secret is read but the key of a client certificate. */
export async function openSession(args: SiteArguments, host: Host): Promise<OpenResult> {
  const reject = (failure: Failure, readLines: ReadLines = () => undefined): OpenResult => ({
    ok: false,
    error: { failure, readLines },
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
  const url = normalizeSiteUrl(emulator?.url ?? override ?? manifest.site.url)
  const policy = emulator === undefined ? checkSitePolicy(url, args, host) : undefined
  if (policy !== undefined) return reject(policy, readLines)
  const real = openSecrets(manifest, { folder, environment: host.environment })
  const secrets = emulator === undefined ? real : rehearsalSource(real, () => randomBytes(12).toString('hex'))
  const chosen = await stateIn({ url, folder, manifest })
  if (!chosen.ok) return reject(chosen.error, readLines)
  const site = await assembleSite(loaded, {
    url,
    answers: emulator !== undefined ? 'emulator' : offline ? 'nobody' : 'site',
    secrets,
    files: real,
    provideToken:
      emulator && createTokenProvider(manifest.site.token ?? selectRehearsalToken(manifest), secrets),
    state: chosen.value,
    environment: host.environment,
    clock: host.clock,
  })
  if (!site.ok) return reject(toRouteFailure(site.error), readLines)
  const { route, state } = site.value
  if (args.verbose === true && emulator === undefined && !offline)
    reportRoute(url, route, manifest.site.tls, host)
  return {
    ok: true,
    value: {
      ...loaded,
      ...site.value,
      tokenFrom: emulator === undefined ? 'manifest' : 'rehearsal',
      ...(offline && { reader: offlineReader(state) }),
      readLines,
      commands: nextCommands(args),
      inputs: [
        ...sources.map(({ name }) => name),
        ...loaded.policies.map(one => one.file),
        ...[...listLicenseFiles(manifest.organization), ...listTlsFiles(manifest.site.tls)].map(one =>
          join(folder, real.pathOf(one)),
        ),
      ],
      close: async () => emulator?.close(),
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

interface ReportArguments {
  readonly file?: string | undefined
  /** Other files that the command reads. */
  readonly nodes?: string | undefined
  readonly 'storage-classes'?: string | undefined
  readonly format: readonly string[]
  readonly color: ColorChoice
  /** Other files that the command writes. */
  readonly events?: string | undefined
  readonly out?: string | undefined
  readonly policy?: readonly string[]
}

/** The part of a session that every command context needs. */
interface Openable {
  readonly inputs?: readonly string[]
  readonly readLines: ReadLines
  close(): Promise<void>
}

/**
 * Opens the site that the options name, lets the command work, and closes it whatever happens; for a command with the
 * given formats.
 */
export function sessionWith<F extends string>(formats: readonly F[]) {
  return (
    argv: SiteArguments & ReportArguments,
    host: Host,
    work: (context: CommandContext<SiteSession, F>) => Promise<ExitCode>,
  ): Promise<ExitCode> => withSite(argv, host, { formats, open: () => openSession(argv, host), work })
}

/** The same for a command with the common formats. */
export const withSession = sessionWith(siteFormats)

interface CommandWork<S, F extends string> {
  readonly formats: readonly F[]
  open(): Promise<OpenResult<S>>
  work(context: CommandContext<S, F>): Promise<ExitCode>
}

/** The same for whatever can be opened. */
export async function withSite<S extends Openable, F extends string>(
  argv: ReportArguments,
  host: Host,
  { formats, open, work }: CommandWork<S, F>,
): Promise<ExitCode> {
  const { color } = argv
  const targets = parseTargets(argv.format, formats)
  const read = [argv.file, argv.nodes, argv['storage-classes']].flatMap(file => file ?? [])
  const inputs = [...read, ...(argv.policy ?? [])]
  const outputs = [...targets.map(({ file }) => file), argv.events, argv.out]
  await checkReportPaths(outputs, inputs)
  const opened = await open()
  if (!opened.ok) await checkReports(outputs, [...inputs, ...(opened.error.inputs ?? [])])
  if (!opened.ok)
    return fail(host, opened.error.failure, { targets, color, readLines: opened.error.readLines })
  const { value: session } = opened
  try {
    await checkReports(outputs, [...inputs, ...(session.inputs ?? [])])
    return await work({
      session,
      targets,
      refuse: failure => fail(host, failure, { targets, color, readLines: session.readLines }),
      warn(diagnostics) {
        if (diagnostics.length === 0) return
        const view = { readLines: session.readLines, paint: paintFor('stderr', color) }
        host.stderr.print(`${formatDiagnostics(diagnostics, view)}\n`)
      },
    })
  } finally {
    await session.close()
  }
}
