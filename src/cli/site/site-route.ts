import type { Route } from '../../client/route.js'
import type { RouteProblem } from '../../library/problem.js'
import type { Tls } from '../../manifest/manifest.js'
import { display } from '../../report/display.js'
import { describeProblem } from '../../report/problem-text.js'
import { exitCodeOfProblem } from '../exit-code.js'
import type { Host } from '../host.js'
import type { Failure } from '../terminal/output.js'

/** Says how requests get to a site, for who asked. */
export function sayWay(url: string, route: Route, tls: Tls | undefined, host: Host): void {
  host.stderr.write(`requests go ${wayWords(url, route, tls).join(', ')}\n`)
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

/** Why requests cannot be brought to a site, and what to do. */
export function routeFailure(problem: RouteProblem): Failure {
  const [exitCode, message] = [exitCodeOfProblem(problem), describeProblem(problem)]
  if (problem.kind === 'tls') return { exitCode, message, diagnostics: problem.diagnostics }
  const { variable } = problem
  return {
    exitCode,
    message,
    next: `name an http or https proxy in ${variable}, or list the host of the site in NO_PROXY`,
  }
}
