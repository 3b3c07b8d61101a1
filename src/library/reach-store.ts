import type { ServiceFailure } from '../client/failure.js'
import { selectProxy } from '../client/proxy.js'
import type { Route } from '../client/route.js'

/** Chooses the route to a server that keeps state; `undefined` where the proxy that the environment names is unusable. */
export function findStoreRoute(
  url: string,
  environment: Readonly<Record<string, string | undefined>>,
): Route | undefined {
  const choice = selectProxy(url, environment)
  if (choice.kind === 'unusable') return undefined
  return choice.kind === 'proxy' ? { proxy: choice.proxy } : {}
}

/** Classifies a request without an answer; `said` is a code, which quotes nothing that was sent or received. */
export function classifyStoreFailure(failure: ServiceFailure) {
  const said = 'reason' in failure && failure.reason !== undefined ? failure.reason : failure.kind
  const isTls = failure.kind === 'not-sent' && failure.cause === 'tls'
  return { cause: isTls ? 'untrusted-certificate' : 'unreachable', said } as const
}
