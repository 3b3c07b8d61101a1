import { randomBytes } from 'node:crypto'
import type { Route } from '../../client/route.js'
import { parseVersion, type ServiceVersion } from '../../contract/version.js'
import { newestVersion } from '../../contract/versions.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { placed } from '../../manifest/effective.js'
import { normalizedSiteUrl } from '../../manifest/site-url.js'
import type { LinesOf } from '../../report/findings/diagnostics-text.js'
import { rehearsalSource, type SecretSource, secretSource } from '../../secrets/secret-source.js'
import { type WantedSecret, wantedByUpdate } from '../../secrets/wanted.js'
import { openRehearsal, type RehearsalArguments } from '../emulator/rehearsal.js'
import type { Host } from '../host.js'
import { type Opened, openSession } from '../site/session.js'
import { overriddenUrl, policyFailure, type UrlArguments } from '../site/site-policy.js'
import { openRoute } from '../site/site-route.js'
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
  if (file === undefined) return openAddress(args, host, { token, version })
  const opened = await openSession({ ...args, file, state: undefined, needsState: false }, host)
  if (!opened.ok) return opened
  const { manifest, url, route, secrets, warnings, linesOf, close } = opened.session
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
  return { ok: true, session: site }
}

type Named = Pick<Site, 'token' | 'version'>

async function openAddress(args: OneShotSiteArguments, host: Host, named: Named): Promise<Opened<Site>> {
  const given = overriddenUrl(args)
  const { version = newestVersion } = named
  const rehearsal = await openRehearsal(args, { version }, host)
  if (!rehearsal.ok) return rehearsal
  const { emulator } = rehearsal
  const address = emulator?.url ?? given
  if (address === undefined) throw new UsageError('name a manifest, or the site itself with --url')
  const url = normalizedSiteUrl(address)
  const linesOf = () => undefined
  const failure = emulator === undefined ? policyFailure(url, args, host) : undefined
  if (failure !== undefined) return { ok: false, failure, linesOf }
  const real = secretSource(host.environment, '.')
  const opened = await openRoute(url, { secrets: real }, host)
  if (!opened.ok) return { ...opened, linesOf }
  const site = {
    ...named,
    url,
    route: opened.route,
    host: new URL(url).host,
    secrets: emulator === undefined ? real : rehearsalSource(real, () => randomBytes(12).toString('hex')),
    warnings: [],
    linesOf,
    placed: (one: Diagnostic) => one,
    close: async () => emulator?.close(),
  }
  return { ok: true, session: site }
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
