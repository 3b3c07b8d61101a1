import type { Route } from '../../client/route.js'
import type { TlsSettings } from '../../manifest/manifest.js'
import { display } from '../../report/display.js'
import type { Host } from '../host.js'

/** Prints the route of requests to a site, for `--verbose`. */
export function reportRoute(url: string, route: Route, tls: TlsSettings | undefined, host: Host): void {
  host.stderr.print(`requests go ${describeRoute(url, route, tls).join(', ')}\n`)
}

function describeRoute(url: string, { proxy }: Route, tls: TlsSettings | undefined): readonly string[] {
  const words = [
    `to ${new URL(url).origin}`,
    ...(proxy === undefined ? ['directly'] : [`through the proxy ${proxy.host} (${proxy.variable})`]),
    ...(tls?.caFile === undefined ? [] : [`trusting ${tls.caFile} too`]),
    ...(tls?.client === undefined ? [] : [`showing ${tls.client.certificate}`]),
  ]
  return words.map(text => display(text))
}
