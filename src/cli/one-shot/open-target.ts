import type { Route } from '../../client/route.js'
import { siteReader } from '../../client/site-reader.js'
import { parseVersion, type ServiceVersion } from '../../contract/versions.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { addPlace } from '../../manifest/field-places.js'
import { findVersionGate, type VersionGate } from '../../operations/guard.js'
import { exitCodes, UsageError } from '../../report/exit-code.js'
import { listUpdateReferences, type NeededSecret } from '../../secrets/needed-references.js'
import { type SecretSource, secretSource } from '../../secrets/secret-source.js'
import { createTokenProvider, type TokenProvider } from '../../secrets/token-provider.js'
import type { Host } from '../host.js'
import { parseServiceVersion } from '../options.js'
import { openSiteOrAddress } from '../site/open-session.js'
import { parseSecretOption, withOptionFiles } from '../site/secret-option.js'
import type { Failure } from '../terminal/output.js'
import type { Openable, OpenResult } from '../with-opened.js'
import type { OneShotArguments } from './consent.js'

/** The site of a one-shot operation, from a manifest or from its address alone. */
export interface OneShotTarget extends Openable {
  readonly url: string
  readonly route: Route
  /** The name in a confirmation: the host, with the port if there is one. */
  readonly host: string
  /** Absent if unknown. */
  readonly version: ServiceVersion | undefined
  readonly token: NeededSecret | undefined
  /** Signs in to obtain the token; absent if `--token` is given, or if there is no account to sign in with. */
  readonly signIn: TokenProvider | undefined
  /** Provides the token for reading. */
  readonly provideToken: TokenProvider
  readonly secrets: SecretSource
  readonly warnings: readonly Diagnostic[]
  /** Puts a diagnostic about a reference at its place in the manifest. */
  placed(diagnostic: Diagnostic): Diagnostic
}

/** Opens the target. Sends nothing, and reads the same secrets as `openSession`. */
export async function openTarget(args: OneShotArguments, host: Host): Promise<OpenResult<OneShotTarget>> {
  const token = parseSecretOption('token', args.token)
  const named = parseNamedVersion(args)
  const stateless = { ...args, state: undefined, needsState: false }
  const opened = await openSiteOrAddress(stateless, host, named && { version: named })
  if (!opened.ok) return opened
  const { manifest, url, route, secrets, warnings, readLines, close, signsIn, provideToken } = opened.value
  // A rehearsal invents the token instead of signing in.
  const isSigningIn = signsIn || manifest?.site.signIn !== undefined
  const signIn = isSigningIn && token === undefined ? provideToken : undefined
  const here = secretSource(host.environment, '.')
  const known = {
    url,
    host: new URL(url).host,
    route,
    warnings,
    readLines,
    close,
    signIn,
    provideToken: token === undefined ? provideToken : createTokenProvider(token.reference, here),
  }
  if (manifest === undefined)
    return { ok: true, value: { ...known, version: named, token, secrets, placed: one => one } }
  return {
    ok: true,
    value: {
      ...known,
      version: manifest.site.version,
      token: token ?? listUpdateReferences(manifest.site.token)[0],
      secrets: withOptionFiles(secrets, here),
      placed: one => (one.pointer.startsWith('/--') ? one : addPlace(manifest, one)),
    },
  }
}

function parseNamedVersion({ file, 'service-version': text }: OneShotArguments): ServiceVersion | undefined {
  if (text === undefined) return undefined
  if (file !== undefined)
    throw new UsageError('--service-version is for a site without a manifest; this manifest has the version')
  return parseServiceVersion(text)
}

/** The read of the version before a one-shot operation. A site that does not respond may still perform the operation. */
const deadlineMs = 10_000

/** Reads the version of the site with one GET. It overrides the version in the manifest or an option. */
export async function askVersion(site: OneShotTarget, signal: AbortSignal): Promise<OneShotTarget> {
  const { url, route, provideToken } = site
  const limited = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])
  const seen = await siteReader(url, provideToken, route).observe(limited)
  const version = seen.ok ? parseVersion(seen.value.version ?? '') : undefined
  return version === undefined ? site : { ...site, version }
}

/** Rejects a site whose version is known and does not support the operation. Service §9. */
export function gateFailure(
  { version }: OneShotTarget,
  needs: readonly VersionGate['what'][],
): Failure | undefined {
  const gate = findVersionGate(version, needs)
  if (gate === undefined) return undefined
  return {
    exitCode: exitCodes.stale,
    message: `${gatedWords[gate.what]} needs service version ${gate.since} or later, and the site has ${version}`,
    next: ['upgrade the site first, or correct the version'],
  }
}

const gatedWords = {
  exportSite: 'exportSite',
  'exportSite validate': 'the check of a location (--validate)',
  deleteAll: 'deleteAll',
} as const satisfies Record<VersionGate['what'], string>
