import { proxyFor } from '../client/proxy.js'
import type { Route } from '../client/route.js'
import { exitCodes } from './exit-code.js'
import type { Host } from './host.js'
import type { Failure } from './output.js'

export type OpenedRoute =
  | { readonly ok: true; readonly route: Route }
  | { readonly ok: false; readonly failure: Failure }

/** How requests get to the site of an address: straight, or through the proxy that the environment names. */
export function siteRoute(url: string, host: Host): OpenedRoute {
  const choice = proxyFor(url, host.environment)
  switch (choice.kind) {
    case 'direct':
      return { ok: true, route: {} }
    case 'proxy':
      return { ok: true, route: { proxy: choice.proxy } }
    case 'unusable': {
      const message = `the proxy in ${choice.variable} cannot be used: it ${choice.problem}`
      const next = `name an http or https proxy in ${choice.variable}, or list the host of the site in NO_PROXY`
      return { ok: false, failure: { exitCode: exitCodes.refused, message, next } }
    }
    default:
      return choice satisfies never
  }
}
