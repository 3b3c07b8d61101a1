import { findSiteUrlProblem, isLoopback } from '../../manifest/site-url.js'
import { exitCodes, UsageError } from '../../report/exit-code.js'
import type { Arguments } from '../command.js'
import type { siteOptions } from '../command-options.js'
import type { Host } from '../host.js'
import type { Failure } from '../terminal/output.js'

type UrlArguments = Arguments<typeof siteOptions>

/** Returns the address that replaces the one in the manifest, if one was given. Throws a `UsageError`. */
export function parseUrlOption({ url, emulate }: UrlArguments): string | undefined {
  if (url === undefined) return undefined
  if (emulate) throw new UsageError('--url and --emulate exclude each other')
  const problem = findSiteUrlProblem(url)
  if (problem !== undefined) throw new UsageError(`the address in --url ${problem}`)
  return url
}

/** Checks the conditions for reading a secret: the allowed origins of the caller, and verified TLS. */
export function checkSitePolicy(url: string, args: UrlArguments, host: Host): Failure | undefined {
  const unverified = checkTlsVerification(host)
  if (unverified !== undefined) return unverified
  const { origin } = new URL(url)
  const allowed = parseAllowedOrigins(args['allow-origin'], host)
  if (allowed.length > 0 && !allowed.includes(origin))
    return {
      exitCode: exitCodes.refused,
      message: `the site ${origin} is not one of the allowed origins (${allowed.join(', ')})`,
      next: ['check who changed the address of the site, or allow it with --allow-origin'],
    }
  if (allowed.length === 0 && host.environment['CI'] !== undefined && !isLoopback(new URL(url).hostname))
    host.stderr.print(
      'warning: the address of the site comes from the manifest alone; pin it with --allow-origin or LANDFORM_ALLOWED_ORIGINS\n',
    )
  if (warnedHosts.has(host)) return undefined
  warnedHosts.add(host)
  for (const { variable, value, effect } of insecureVariables)
    if (value.test(host.environment[variable] ?? ''))
      host.stderr.print(`warning: ${variable} is set: ${effect}; unset it where secrets are real\n`)
  return undefined
}

/** Refuses to run in an environment that disables TLS verification. */
export function checkTlsVerification({ environment }: Pick<Host, 'environment'>): Failure | undefined {
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return undefined
  return {
    exitCode: exitCodes.refused,
    message: 'NODE_TLS_REJECT_UNAUTHORIZED=0 disables TLS verification, and Landform does not run without it',
    next: ['unset it, and name a certificate authority of your own with spec.site.tls.caFile'],
  }
}

/** Lists the origins to which requests may go, from the caller and the environment. An empty list allows all. */
export function parseAllowedOrigins(
  allowed: readonly string[],
  { environment }: Pick<Host, 'environment'>,
): readonly string[] {
  const named = [...allowed, ...(environment['LANDFORM_ALLOWED_ORIGINS'] ?? '').split(',')]
  return named
    .map(text => text.trim())
    .filter(text => text !== '')
    .map(text => {
      if (!URL.canParse(text)) throw new UsageError(`the allowed origin ${JSON.stringify(text)} is not a URL`)
      return new URL(text).origin
    })
}

/** Variables that may make Node write secrets to outputs and files, with the pattern of the values that do. */
const insecureVariables = [
  { variable: 'SSLKEYLOGFILE', value: /./, effect: 'keys of TLS connections may be written to a file' },
  { variable: 'NODE_DEBUG', value: /./, effect: 'Node prints what it sends, tokens in headers too' },
  {
    variable: 'NODE_OPTIONS',
    value:
      /--inspect|--debug|--(?:experimental-)?report-|--heapsnapshot|--heap-prof|--tls-keylog|--trace-tls/,
    effect: 'a debugger or a report of Node can see the memory and the environment of this run',
  },
]

/** The runs that were warned of such a variable. */
const warnedHosts = new WeakSet<Host>()
