import { randomBytes } from 'node:crypto'
import type { Route } from '../../client/route.js'
import { newestVersion } from '../../contract/versions.js'
import { routeTo } from '../../library/route-to.js'
import { normalizedSiteUrl } from '../../manifest/site-url.js'
import type { LinesOf } from '../../report/findings/diagnostics-text.js'
import { rehearsalSource, type SecretSource, secretSource } from '../../secrets/secret-source.js'
import { openRehearsal, type RehearsalArguments } from '../emulator/rehearsal.js'
import type { RehearsedService } from '../emulator/start-rehearsal.js'
import type { Host } from '../host.js'
import { UsageError } from '../usage-error.js'
import type { Opened } from './session.js'
import { overriddenUrl, policyFailure, type UrlArguments } from './site-policy.js'
import { routeFailure } from './site-route.js'

/** A site of which only the address is known. */
export interface AddressedSite {
  readonly url: string
  readonly route: Route
  readonly secrets: SecretSource
  readonly warnings: readonly []
  readonly linesOf: LinesOf
  close(): Promise<void>
}

/** Opens the site of `--url` or, with `--emulate`, a private emulator. Nothing is sent, and no secret is read. */
export async function openAddress(
  args: UrlArguments & RehearsalArguments,
  host: Host,
  service: RehearsedService = { version: newestVersion },
): Promise<Opened<AddressedSite>> {
  const given = overriddenUrl(args)
  const rehearsal = await openRehearsal(args, service, host)
  if (!rehearsal.ok) return rehearsal
  const { value: emulator } = rehearsal
  const address = emulator?.url ?? given
  if (address === undefined) throw new UsageError('name a manifest, or the site itself with --url')
  const url = normalizedSiteUrl(address)
  const linesOf = () => undefined
  const failure = emulator === undefined ? policyFailure(url, args, host) : undefined
  if (failure !== undefined) return { ok: false, error: { failure, linesOf } }
  const real = secretSource(host.environment, '.')
  const opened = await routeTo(url, { secrets: real, environment: host.environment })
  if (!opened.ok) return { ok: false, error: { failure: routeFailure(opened.error), linesOf } }
  return {
    ok: true,
    value: {
      url,
      route: opened.value,
      secrets: emulator === undefined ? real : rehearsalSource(real, () => randomBytes(12).toString('hex')),
      warnings: [],
      linesOf,
      close: async () => emulator?.close(),
    },
  }
}
