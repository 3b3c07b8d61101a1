import { randomBytes } from 'node:crypto'
import { dirname, join, relative } from 'node:path'
import type { Route } from '../client/route.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { JsonPointer } from '../diagnostics/pointer.js'
import { placed } from '../manifest/effective.js'
import type { Manifest, SecretReference } from '../manifest/manifest.js'
import { isLoopback, normalizedSiteUrl } from '../manifest/site-url.js'
import type { Source } from '../manifest/source.js'
import type { Policy } from '../policy/policy.js'
import type { LinesOf } from '../report/findings/diagnostics-text.js'
import type { NextCommands } from '../report/outcome-text.js'
import { type BoundFiles, bindFiles } from '../secrets/bind-files.js'
import { rehearsalSource, type SecretSource, secretSource } from '../secrets/secret-source.js'
import { type TokenLoan, tokenLoan } from '../secrets/token-loan.js'
import { licenseFiles, tlsFiles } from '../secrets/wanted.js'
import { memoryBackend } from '../state/memory-backend.js'
import { type StateStore, stateStore } from '../state/state-store.js'
import { exitCodeOfFindings, exitCodeOfReferences, exitCodes } from './exit-code.js'
import type { Host } from './host.js'
import { loadWithBases } from './load-with-bases.js'
import { nextCommands } from './next-commands.js'
import type { Failure } from './output.js'
import { judgeAt, sessionPolicies } from './policy/session-policies.js'
import { readSource } from './read-source.js'
import { openRehearsal, type RehearsalArguments } from './rehearsal.js'
import { shownLines } from './shown-lines.js'
import { overriddenUrl, policyFailure, type UrlArguments } from './site-policy.js'
import { openRoute } from './site-route.js'
import { chosenState } from './state-option.js'
import { statePorts } from './state-ports.js'

/** The values of the options that say which site, as the command line gives them. */
export interface SiteArguments extends UrlArguments, RehearsalArguments {
  readonly file: string
  readonly state: string | undefined
  /** Whether to say how the site is reached; absent for commands that never do. */
  readonly verbose?: boolean
  /** Policy files; absent for commands that plan nothing, which no policy stops. */
  readonly policy?: readonly string[]
}

/** A manifest with everything around it that a command needs to look at its site, or to change it. */
export interface Session {
  readonly manifest: Manifest
  /** The files it was read from, its own first. */
  readonly sources: readonly Source[]
  /** Warnings about the manifest. */
  readonly warnings: readonly Diagnostic[]
  /** The policies that it keeps to, with the digests of their files. */
  readonly policies: readonly Pick<Policy, 'file' | 'digest'>[]
  /** Base URL that requests go to. */
  readonly url: string
  /** How requests get there. */
  readonly route: Route
  readonly secrets: SecretSource
  /** Lends the token of the site to who looks at it; it goes to `url` only. */
  readonly lendToken: TokenLoan
  /** Where the token is from; a rehearsal makes one up, for its emulator takes any. */
  readonly tokenFrom: 'manifest' | 'rehearsal' | 'sign-in'
  /** What is kept about the site. */
  readonly state: StateStore
  readonly linesOf: LinesOf
  /** Every file that it was made from, which no report may replace. */
  readonly inputs: readonly string[]
  /** What a person would type next for the same site. */
  readonly commands: NextCommands
  /** Digests of the license files, of what the manifest builds on, and of policies; no stand-in of a rehearsal is bound. */
  bind(): Promise<BoundFiles>
  close(): Promise<void>
}

/** What could be opened, or why nothing could. */
export type Opened<S = Session> =
  | { readonly ok: true; readonly session: S }
  | {
      readonly ok: false
      readonly failure: Failure
      readonly linesOf: LinesOf
      /** The files that were read all the same. */
      readonly inputs?: readonly string[]
    }

const straight = { ok: true, route: {} } as const

/** Opens what the options name. Nothing is sent, and no secret is read but the key of a client certificate. */
export async function openSession(args: SiteArguments, host: Host): Promise<Opened> {
  const refused = (failure: Failure, linesOf: LinesOf = () => undefined): Opened => ({
    ok: false,
    failure,
    linesOf,
  })
  const override = overriddenUrl(args)
  const stateIn = chosenState(args, host)
  const reply = await readSource(host, args.file)
  if (!reply.ok) return refused(reply.failure)
  const { source } = reply
  const policies = await sessionPolicies(args, host)
  if (!policies.ok) return policies
  const { sources, loaded } = await loadWithBases(source, args.file, judgeAt(override, policies.value))
  const linesOf = shownLines(sources)
  if (!loaded.ok) {
    const { diagnostics } = loaded
    const exitCode = exitCodeOfFindings(diagnostics, 'error')
    const why = exitCode === exitCodes.refused ? 'violates rules of its policy' : 'is not valid'
    const message = `the manifest ${source.name} ${why}`
    const inputs = sources.map(({ name }) => name)
    return { ok: false, failure: { exitCode, message, diagnostics }, linesOf, inputs }
  }
  const manifest = loaded.value
  const folder = args.file === '-' ? '.' : dirname(args.file)
  const rehearsal = await openRehearsal(args, manifest.site.version, host)
  if (!rehearsal.ok) return rehearsal
  const { emulator } = rehearsal
  const url = normalizedSiteUrl(emulator?.url ?? override ?? manifest.site.url)
  const policy = emulator === undefined ? policyFailure(url, args, host) : undefined
  if (policy !== undefined) return refused(policy, linesOf)
  const folderOf = (pointer: JsonPointer) => dirname(manifest.place(pointer, 'value').file)
  const real = secretSource(host.environment, folder, folderOf)
  const secrets = emulator === undefined ? real : rehearsalSource(real, () => randomBytes(12).toString('hex'))
  const backend = emulator === undefined ? stateIn(folder) : memoryBackend()
  const wishes = { manifest, secrets, verbose: args.verbose }
  const way = emulator === undefined ? await openRoute(url, wishes, host) : straight
  if (!way.ok) return refused(way.failure, linesOf)
  return {
    ok: true,
    session: {
      manifest,
      sources,
      warnings: loaded.diagnostics,
      policies: policies.value.map(({ file, digest }) => ({ file, digest })),
      url,
      route: way.route,
      secrets,
      tokenFrom: emulator === undefined ? 'manifest' : 'rehearsal',
      lendToken: tokenLoan(manifest.site.token ?? (emulator && rehearsedToken(manifest)), secrets),
      state: stateStore(backend, url, statePorts(host)),
      linesOf,
      commands: nextCommands(args),
      inputs: [
        ...sources.map(({ name }) => name),
        ...policies.value.map(one => one.file),
        ...[...licenseFiles(manifest.organization), ...tlsFiles(manifest.site.tls)].map(one =>
          join(folder, real.pathOf(one)),
        ),
      ],
      async bind() {
        const bound = await bindAll(manifest, real, emulator === undefined ? 'required' : 'optional')
        const digests = pathsFrom(manifest.file, policies.value)
        return bound.ok ? { ...bound, digests: { ...digests, ...bound.digests } } : bound
      },
      close: async () => emulator?.close(),
    },
  }
}

/** Where nobody can sign in, a stand-in takes the place of the token that signing in would bring. */
function rehearsedToken({ site }: Manifest): SecretReference | undefined {
  return site.signIn && { env: 'LANDFORM_TOKEN' }
}

/** Binds the license files and what the manifest builds on, by their paths from its folder. */
async function bindAll(
  { organization, file, bases }: Manifest,
  source: SecretSource,
  presence: 'required' | 'optional',
): Promise<BoundFiles> {
  const bound = await bindFiles(organization, source, presence)
  if (!bound.ok) return bound
  return { ...bound, digests: { ...pathsFrom(file, bases), ...bound.digests } }
}

/** Digests of files by their paths from the folder of another. */
function pathsFrom(file: string, others: readonly { readonly file: string; readonly digest: string }[]) {
  return Object.fromEntries(others.map(other => [relative(dirname(file), other.file), other.digest]))
}

/** A failure about references, with each diagnostic at its place in the manifest. */
export function referencesFailure(session: Session, diagnostics: readonly Diagnostic[]): Failure {
  return {
    exitCode: exitCodeOfReferences(diagnostics),
    message: 'secrets or files that the manifest refers to are missing or unfit; nothing was sent',
    diagnostics: diagnostics.map(one => placed(session.manifest, one)),
  }
}

/** Time between two looks: a site on this machine is an emulator, and its stages are short. */
export function defaultPollMs(url: string): number {
  return isLoopback(new URL(url).hostname) ? 200 : 5000
}
