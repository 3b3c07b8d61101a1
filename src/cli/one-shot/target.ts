import type { Route } from '../../client/route.js'
import { operations } from '../../contract/operations.js'
import { parseVersion, type ServiceVersion } from '../../contract/version.js'
import { newestVersion } from '../../contract/versions.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { placed } from '../../manifest/field-places.js'
import { type Gate, gateOf } from '../../operations/version-gate.js'
import type { LinesOf } from '../../report/findings/diagnostics-text.js'
import { type SecretSource, secretSource } from '../../secrets/secret-source.js'
import { type WantedSecret, wantedByUpdate } from '../../secrets/wanted.js'
import type { RehearsalArguments } from '../emulator/rehearsal.js'
import { exitCodes } from '../exit-code.js'
import type { Host } from '../host.js'
import { openSiteOrAddress } from '../site/open-site-or-address.js'
import { parseSecretOption, withOptionFiles } from '../site/secret-option.js'
import type { Opened } from '../site/session.js'
import type { UrlArguments } from '../site/site-policy.js'
import type { Failure } from '../terminal/output.js'
import { UsageError } from '../usage-error.js'

/** The values of the options that say which site a one-shot operation is for. */
interface OneShotSiteArguments extends UrlArguments, RehearsalArguments {
  readonly file: string | undefined
  readonly token: string | undefined
  readonly 'service-version': string | undefined
}

/** What a one-shot operation is for: a site, from a manifest or from its address alone. */
export interface Target {
  readonly url: string
  /** How requests get there. */
  readonly route: Route
  /** What a confirmation calls it: the host, with the port where there is one. */
  readonly host: string
  /** Absent where nobody named it. */
  readonly version: ServiceVersion | undefined
  readonly token: WantedSecret | undefined
  readonly secrets: SecretSource
  readonly warnings: readonly Diagnostic[]
  readonly linesOf: LinesOf
  /** Puts a diagnostic about a reference at its place in the manifest. */
  placed(diagnostic: Diagnostic): Diagnostic
  close(): Promise<void>
}

/** Opens what the options name. Nothing is sent, and no secret is read. */
export async function openTarget(args: OneShotSiteArguments, host: Host): Promise<Opened<Target>> {
  const token = parseSecretOption('token', args.token)
  const named = namedVersion(args)
  const stateless = { ...args, state: undefined, needsState: false }
  const opened = await openSiteOrAddress(stateless, host, named && { version: named })
  if (!opened.ok) return opened
  const { manifest, url, route, secrets, warnings, linesOf, close } = opened.value
  const known = { url, host: new URL(url).host, route, warnings, linesOf, close }
  if (manifest === undefined)
    return { ok: true, value: { ...known, version: named, token, secrets, placed: one => one } }
  return {
    ok: true,
    value: {
      ...known,
      version: manifest.site.version,
      token: token ?? wantedByUpdate(manifest.site.token)[0],
      secrets: withOptionFiles(secrets, secretSource(host.environment, '.')),
      placed: one => (one.pointer.startsWith('/--') ? one : placed(manifest, one)),
    },
  }
}

function namedVersion({ file, 'service-version': text }: OneShotSiteArguments): ServiceVersion | undefined {
  if (text === undefined) return undefined
  if (file !== undefined)
    throw new UsageError('--service-version is for a site without a manifest, which says the version itself')
  const version = parseVersion(text)
  if (version === undefined)
    throw new UsageError(`${JSON.stringify(text)} is not a version such as ${newestVersion}`)
  return version
}

/** Why the version of a site cannot do what was asked for; nothing where it can, or nobody named it. Service §9. */
export function gateFailure({ version }: Target, needs: readonly Gate['what'][]): Failure | undefined {
  const gate = gateOf(version, needs)
  if (gate === undefined) return undefined
  return {
    exitCode: exitCodes.refused,
    message: `${words[gate.what]} exists from version ${gate.since} of the service on, and the site has ${version}; nothing was sent`,
    next: 'upgrade the site first, or correct the version',
  }
}

/** What a refusal may come from where nobody named the version. */
export function versionHint({ version }: Target, operation: 'exportSite' | 'deleteAll'): string {
  return version === undefined
    ? `; the version of the site was not named, and ${operation} exists from ${operations[operation].since} on`
    : ''
}

const words = {
  exportSite: 'exportSite',
  'exportSite validate': 'the check of a location, --validate,',
  deleteAll: 'deleteAll',
} as const satisfies Record<Gate['what'], string>
