import { selectProxy } from '../client/proxy.js'
import { createTrust, type Route, rememberTrust } from '../client/route.js'
import { addPlace } from '../manifest/field-places.js'
import type { Manifest } from '../manifest/manifest.js'
import type { Result } from '../result.js'
import type { SecretSource } from '../secrets/secret-source.js'
import { withTlsMaterial } from '../secrets/tls-material.js'
import type { RouteProblem } from './problem.js'

/** The facts from which the route to a site is chosen. */
export interface RouteOptions {
  readonly manifest?: Manifest | undefined
  readonly secrets: SecretSource
  /** The environment with the conventional proxy variables. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

export type RouteReply = Result<Route, RouteProblem>

const rememberAuthorities = rememberTrust()

/** The sites of a fleet mostly name the same authorities; a key is forgotten with its route. */
const trustIn: typeof createTrust = material =>
  material.client === undefined ? rememberAuthorities(material) : createTrust(material)

/** Chooses the route to a site: the proxy of the environment, and the certificates of the manifest. Sends nothing. */
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
  const trust = manifest && tls && (await withTlsMaterial(tls, secrets, trustIn))
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
