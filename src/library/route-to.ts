import { selectProxy } from '../client/proxy.js'
import type { Route } from '../client/route.js'
import { createTrust } from '../client/trust.js'
import { addPlace } from '../manifest/field-places.js'
import type { Manifest } from '../manifest/manifest.js'
import type { Result } from '../result.js'
import type { SecretSource } from '../secrets/secret-source.js'
import { withTlsMaterial } from '../secrets/tls-material.js'
import type { RouteProblem } from './problem.js'

/** What the way to a site is found by. */
export interface RouteOptions {
  readonly manifest?: Manifest | undefined
  readonly secrets: SecretSource
  /** Where the conventional variables of proxies are looked up. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

export type RouteReply = Result<Route, RouteProblem>

/** How requests get to a site: by the proxy of the environment, with the certificates of the manifest. Nothing is sent. */
export async function chooseRoute(
  url: string,
  { manifest, secrets, environment }: RouteOptions,
): Promise<RouteReply> {
  const choice = selectProxy(url, environment)
  if (choice.kind === 'unusable') {
    const { variable, defect } = choice
    return { ok: false, error: { kind: 'proxy', variable, defect } }
  }
  const tls = manifest?.site.tls
  const trust = manifest && tls && (await withTlsMaterial(tls, secrets, createTrust))
  if (manifest && trust?.ok === false)
    return {
      ok: false,
      error: { kind: 'tls', diagnostics: trust.error.map(one => addPlace(manifest, one)) },
    }
  const route = {
    ...(choice.kind === 'proxy' && { proxy: choice.proxy }),
    ...(trust?.ok && { trust: trust.value }),
  }
  return { ok: true, value: route }
}
