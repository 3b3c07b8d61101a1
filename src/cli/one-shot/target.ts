import { newestVersion, parseVersion, type ServiceVersion } from '../../contract/versions.js'
import { addPlace } from '../../manifest/field-places.js'
import { listUpdateReferences } from '../../secrets/needed-references.js'
import { secretSource } from '../../secrets/secret-source.js'
import { UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import { openSiteOrAddress } from '../site/open-site-or-address.js'
import { parseSecretOption, withOptionFiles } from '../site/secret-option.js'
import type { OpenResult, RehearsalArguments } from '../site/session.js'
import type { UrlArguments } from '../site/site-policy.js'
import type { OneShotTarget } from './perform.js'

/** The values of the options that say which site a one-shot operation is for. */
interface OneShotSiteArguments extends UrlArguments, RehearsalArguments {
  readonly file: string | undefined
  readonly token: string | undefined
  readonly 'service-version': string | undefined
}

/** Opens what the options name. Nothing is sent, and no secret is read. */
export async function openTarget(args: OneShotSiteArguments, host: Host): Promise<OpenResult<OneShotTarget>> {
  const token = parseSecretOption('token', args.token)
  const named = parseNamedVersion(args)
  const stateless = { ...args, state: undefined, needsState: false }
  const opened = await openSiteOrAddress(stateless, host, named && { version: named })
  if (!opened.ok) return opened
  const { manifest, url, route, secrets, warnings, readLines, close } = opened.value
  const known = { url, host: new URL(url).host, route, warnings, readLines, close }
  if (manifest === undefined)
    return { ok: true, value: { ...known, version: named, token, secrets, placed: one => one } }
  return {
    ok: true,
    value: {
      ...known,
      version: manifest.site.version,
      token: token ?? listUpdateReferences(manifest.site.token)[0],
      secrets: withOptionFiles(secrets, secretSource(host.environment, '.')),
      placed: one => (one.pointer.startsWith('/--') ? one : addPlace(manifest, one)),
    },
  }
}

function parseNamedVersion({
  file,
  'service-version': text,
}: OneShotSiteArguments): ServiceVersion | undefined {
  if (text === undefined) return undefined
  if (file !== undefined)
    throw new UsageError('--service-version is for a site without a manifest, which says the version itself')
  const version = parseVersion(text)
  if (version === undefined)
    throw new UsageError(`${JSON.stringify(text)} is not a version such as ${newestVersion}`)
  return version
}
