import { type ProxyChoice, proxyFor } from '../client/proxy.js'
import type { Route } from '../client/route.js'
import { trustOf } from '../client/trust.js'
import { placed } from '../manifest/effective.js'
import type { Manifest } from '../manifest/manifest.js'
import { display } from '../report/display.js'
import type { SecretSource } from '../secrets/secret-source.js'
import { lendTls } from '../secrets/tls-material.js'
import { exitCodeOfReferences, exitCodes } from './exit-code.js'
import type { Host } from './host.js'
import type { Failure } from './output.js'

export type OpenedRoute =
  | { readonly ok: true; readonly route: Route }
  | { readonly ok: false; readonly failure: Failure }

/** What a manifest says of the way to its site. */
export interface RouteWishes {
  readonly manifest?: Manifest
  readonly secrets: SecretSource
  readonly verbose?: boolean | undefined
}

/** How requests get to a site: by the proxy of the environment, with the certificates of the manifest. Nothing is sent. */
export async function openRoute(
  url: string,
  { manifest, secrets, verbose = false }: RouteWishes,
  host: Host,
): Promise<OpenedRoute> {
  const choice = proxyFor(url, host.environment)
  if (choice.kind === 'unusable') return { ok: false, failure: unusableProxy(choice) }
  const proxy = choice.kind === 'proxy' ? choice.proxy : undefined
  const tls = manifest?.site.tls
  const trust = manifest && tls && (await lendTls(tls, secrets, trustOf))
  if (manifest && trust?.ok === false) {
    const diagnostics = trust.diagnostics.map(one => placed(manifest, one))
    const message = 'what the manifest names for TLS is missing or unfit; nothing was sent'
    return { ok: false, failure: { exitCode: exitCodeOfReferences(diagnostics), message, diagnostics } }
  }
  if (verbose) {
    const words = [
      `to ${new URL(url).origin}`,
      ...(proxy === undefined ? ['directly'] : [`through the proxy ${proxy.host} (${proxy.variable})`]),
      ...(tls?.caFile === undefined ? [] : [`trusting ${tls.caFile} too`]),
      ...(tls?.client === undefined ? [] : [`showing ${tls.client.certificate}`]),
    ]
    host.stderr.write(`requests go ${words.map(text => display(text)).join(', ')}\n`)
  }
  const route = { ...(proxy !== undefined && { proxy }), ...(trust?.ok && { trust: trust.value }) }
  return { ok: true, route }
}

function unusableProxy({ variable, problem }: ProxyChoice & { readonly kind: 'unusable' }): Failure {
  return {
    exitCode: exitCodes.refused,
    message: `the proxy in ${variable} cannot be used: it ${problem}`,
    next: `name an http or https proxy in ${variable}, or list the host of the site in NO_PROXY`,
  }
}
