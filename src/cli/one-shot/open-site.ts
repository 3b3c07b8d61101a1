import type { Route } from '../../client/route.js'
import { parseVersion, type ServiceVersion } from '../../contract/version.js'
import { newestVersion } from '../../contract/versions.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { placed } from '../../manifest/field-places.js'
import type { LinesOf } from '../../report/findings/diagnostics-text.js'
import { type SecretSource, secretSource } from '../../secrets/secret-source.js'
import { type WantedSecret, wantedByUpdate } from '../../secrets/wanted.js'
import type { RehearsalArguments } from '../emulator/rehearsal.js'
import type { Host } from '../host.js'
import { openAddress } from '../site/open-address.js'
import { type Opened, openSession } from '../site/session.js'
import type { UrlArguments } from '../site/site-policy.js'
import { UsageError } from '../usage-error.js'
import { parseSecretOption, withOptionFiles } from './secret-option.js'

/** The values of the options that say which site a one-shot operation is for. */
export interface OneShotSiteArguments extends UrlArguments, RehearsalArguments {
  readonly file: string | undefined
  readonly token: string | undefined
  readonly 'service-version': string | undefined
}

/** A site, from a manifest or from its address alone. */
export interface Site {
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
export async function openSite(args: OneShotSiteArguments, host: Host): Promise<Opened<Site>> {
  const { file } = args
  const token = parseSecretOption('token', args.token)
  const version = namedVersion(args)
  if (file === undefined) {
    const opened = await openAddress(args, host, version && { version })
    if (!opened.ok) return opened
    const { url } = opened.value
    return {
      ok: true,
      value: {
        ...opened.value,
        host: new URL(url).host,
        version,
        token,
        placed: (one: Diagnostic) => one,
      },
    }
  }
  const opened = await openSession({ ...args, file, state: undefined, needsState: false }, host)
  if (!opened.ok) return opened
  const { manifest, url, route, secrets, warnings, linesOf, close } = opened.value
  const here = secretSource(host.environment, '.')
  const site = {
    url,
    route,
    host: new URL(url).host,
    version: manifest.site.version,
    token: token ?? wantedByUpdate(manifest.site.token)[0],
    secrets: withOptionFiles(secrets, here),
    warnings,
    linesOf,
    placed: (one: Diagnostic) => (one.pointer.startsWith('/--') ? one : placed(manifest, one)),
    close,
  }
  return { ok: true, value: site }
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
