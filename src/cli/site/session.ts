import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { SiteReader } from '../../client/site-reader.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { assembleSite } from '../../library/assemble-site.js'
import { loadSite } from '../../library/load-site.js'
import { offlineReader } from '../../library/offline-reader.js'
import { type Loaded, type Site, secretsOf } from '../../library/site.js'
import type { Manifest, SecretReference } from '../../manifest/manifest.js'
import { normalizedSiteUrl } from '../../manifest/site-url.js'
import type { LinesOf } from '../../report/findings/diagnostics-text.js'
import { describeProblem } from '../../report/problem-text.js'
import type { Result } from '../../result.js'
import { rehearsalSource } from '../../secrets/secret-source.js'
import { tokenLoan } from '../../secrets/token-loan.js'
import { licenseFiles, tlsFiles } from '../../secrets/wanted.js'
import { loadFailure, namedPolicies, readSource, shownLines } from '../check/read-source.js'
import type { RehearsedService } from '../emulator/rehearsal.js'
import { openRehearsal, type RehearsalArguments } from '../emulator/rehearsal.js'
import { exitCodeOfReferences } from '../exit-code.js'
import type { Host } from '../host.js'
import type { Failure, Refusal } from '../terminal/output.js'
import { UsageError } from '../usage-error.js'
import { routeFailure, sayWay } from './failures.js'
import { nextCommands, type TypedCommands } from './next-commands.js'
import { overriddenUrl, policyFailure, type UrlArguments } from './site-policy.js'
import { chosenState } from './state-option.js'

/** The values of the options that say which site, as the command line gives them. */
export interface SiteArguments extends UrlArguments, RehearsalArguments {
  readonly file: string
  readonly state: string | undefined
  /** Whether to say how the site is reached; absent for commands that never do. */
  readonly verbose?: boolean
  /** Policy files; absent for commands that plan nothing, which no policy stops. */
  readonly policy?: readonly string[]
  /** Whether the site may not be reached; absent for commands that are of no use without it. */
  readonly offline?: boolean
  /** Whether the command does without state, where nobody says where it is kept. */
  readonly needsState?: boolean
}

/** A manifest with everything around it that a command needs to look at its site, or to change it. */
export interface Session extends Loaded, Site {
  /** Where the token is from; a rehearsal makes one up, for its emulator takes any. */
  readonly tokenFrom: 'manifest' | 'rehearsal' | 'sign-in'
  /** What looks in place of the client; absent where the client itself does. */
  readonly reader?: SiteReader
  readonly linesOf: LinesOf
  /** Every file that it was made from, which no report may replace. */
  readonly inputs: readonly string[]
  /** What a person would type next for the same site. */
  readonly commands: TypedCommands
  close(): Promise<void>
}

/** What could be opened, or why nothing could. */
export type Opened<S = Session> = Result<S, Refusal>

/** Opens what the options name. Nothing is sent, and no secret is read but the key of a client certificate. */
export async function openSession(args: SiteArguments, host: Host): Promise<Opened> {
  const refused = (failure: Failure, linesOf: LinesOf = () => undefined): Opened => ({
    ok: false,
    error: { failure, linesOf },
  })
  const { offline = false } = args
  if (offline && args.emulate)
    throw new UsageError('--offline and --emulate exclude each other: an emulator is looked at')
  const override = overriddenUrl(args)
  const stateIn = chosenState(args, host)
  const reply = await readSource(host, args.file)
  if (!reply.ok) return refused(reply.error)
  const { file } = args
  const policies = args.policy && namedPolicies(args.policy)
  const instead = override === undefined ? undefined : { url: override, by: '--url' }
  const read = await loadSite(reply.value, { file, policies, instead })
  if (!read.ok) return { ok: false, error: loadFailure(read.error) }
  const { value: loaded } = read
  const { manifest, sources } = loaded
  const linesOf = shownLines(sources)
  const folder = args.file === '-' ? '.' : dirname(args.file)
  const rehearsal = await openRehearsal(args, rehearsedService(manifest), host)
  if (!rehearsal.ok) return rehearsal
  const { value: emulator } = rehearsal
  const url = normalizedSiteUrl(emulator?.url ?? override ?? manifest.site.url)
  const policy = emulator === undefined ? policyFailure(url, args, host) : undefined
  if (policy !== undefined) return refused(policy, linesOf)
  const real = secretsOf(manifest, { folder, environment: host.environment })
  const secrets = emulator === undefined ? real : rehearsalSource(real, () => randomBytes(12).toString('hex'))
  const chosen = await stateIn({ url, folder, manifest })
  if (!chosen.ok) return refused(chosen.error, linesOf)
  const site = await assembleSite(loaded, {
    url,
    answers: emulator !== undefined ? 'emulator' : offline ? 'nobody' : 'site',
    secrets,
    files: real,
    lendToken: emulator && tokenLoan(manifest.site.token ?? rehearsedToken(manifest), secrets),
    state: chosen.value,
    environment: host.environment,
    clock: host.clock,
  })
  if (!site.ok) return refused(routeFailure(site.error), linesOf)
  const { route, state } = site.value
  if (args.verbose === true && emulator === undefined && !offline) sayWay(url, route, manifest.site.tls, host)
  return {
    ok: true,
    value: {
      ...loaded,
      ...site.value,
      tokenFrom: emulator === undefined ? 'manifest' : 'rehearsal',
      ...(offline && { reader: offlineReader(state) }),
      linesOf,
      commands: nextCommands(args),
      inputs: [
        ...sources.map(({ name }) => name),
        ...loaded.policies.map(one => one.file),
        ...[...licenseFiles(manifest.organization), ...tlsFiles(manifest.site.tls)].map(one =>
          join(folder, real.pathOf(one)),
        ),
      ],
      close: async () => emulator?.close(),
    },
  }
}

/** Where nobody can sign in, a stand-in takes the place of the token that signing in would bring. */
function rehearsedToken({ site }: Manifest): SecretReference | undefined {
  return site.signIn && { env: 'LANDFORM_TOKEN' }
}

/** A failure about references of the manifest. */
export function referencesFailure(diagnostics: readonly Diagnostic[]): Failure {
  return {
    exitCode: exitCodeOfReferences(diagnostics),
    message: describeProblem({ kind: 'references', diagnostics }),
    diagnostics,
  }
}

/** A rehearsal takes what the manifest sends unchecked, for nothing tells whether the service does. */
function rehearsedService({ site, organization }: Manifest): RehearsedService {
  return { version: site.version, accept: Object.keys(organization.extra ?? {}) }
}
