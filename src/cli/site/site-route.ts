import type { Route } from '../../client/route.js'
import type { RouteProblem } from '../../library/problem.js'
import { routeTo } from '../../library/route-to.js'
import type { Manifest, Tls } from '../../manifest/manifest.js'
import { display } from '../../report/display.js'
import { describeProblem } from '../../report/problem-text.js'
import type { Result } from '../../result.js'
import type { SecretSource } from '../../secrets/secret-source.js'
import { exitCodeOfProblem } from '../exit-code.js'
import type { Host } from '../host.js'
import type { Failure } from '../terminal/output.js'

export type OpenedRoute = Result<Route, Failure>

/** What a manifest says of the way to its site. */
export interface RouteWishes {
  readonly manifest?: Manifest
  readonly secrets: SecretSource
  readonly verbose?: boolean | undefined
}

/** How requests get to a site, in words too where they are asked for. Nothing is sent. */
export async function openRoute(
  url: string,
  { manifest, secrets, verbose = false }: RouteWishes,
  host: Host,
): Promise<OpenedRoute> {
  const found = await routeTo(url, { manifest, secrets, environment: host.environment })
  if (!found.ok) return { ok: false, error: routeFailure(found.error) }
  const { value: route } = found
  if (verbose) host.stderr.write(`requests go ${wayWords(url, route, manifest?.site.tls).join(', ')}\n`)
  return { ok: true, value: route }
}

function wayWords(url: string, { proxy }: Route, tls: Tls | undefined): readonly string[] {
  const words = [
    `to ${new URL(url).origin}`,
    ...(proxy === undefined ? ['directly'] : [`through the proxy ${proxy.host} (${proxy.variable})`]),
    ...(tls?.caFile === undefined ? [] : [`trusting ${tls.caFile} too`]),
    ...(tls?.client === undefined ? [] : [`showing ${tls.client.certificate}`]),
  ]
  return words.map(text => display(text))
}

function routeFailure(problem: RouteProblem): Failure {
  const [exitCode, message] = [exitCodeOfProblem(problem), describeProblem(problem)]
  if (problem.kind === 'tls') return { exitCode, message, diagnostics: problem.diagnostics }
  const { variable } = problem
  return {
    exitCode,
    message,
    next: `name an http or https proxy in ${variable}, or list the host of the site in NO_PROXY`,
  }
}
