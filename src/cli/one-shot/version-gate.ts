import { siteReader } from '../../client/site-reader.js'
import { parseVersion } from '../../contract/versions.js'
import { findVersionGate, type VersionGate } from '../../operations/guard.js'
import { exitCodes } from '../../report/exit-code.js'
import type { Failure } from '../terminal/output.js'
import type { OneShotTarget } from './perform.js'

/** The question for the version before a one-shot operation: a site that does not answer it may still carry it out. */
const deadlineMs = 10_000

/** Asks the site for its version by one GET. Its answer overrides the version in the manifest or an option. */
export async function askVersion(site: OneShotTarget, signal: AbortSignal): Promise<OneShotTarget> {
  const { url, route, provideToken } = site
  const limited = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])
  const seen = await siteReader(url, provideToken, route).observe(limited)
  const version = seen.ok ? parseVersion(seen.value.version ?? '') : undefined
  return version === undefined ? site : { ...site, version }
}

/**
 * Rejects a site whose version does not support the operation; nothing where it does, or where the version is unknown.
 * Service §9.
 */
export function gateFailure(
  { version }: OneShotTarget,
  needs: readonly VersionGate['what'][],
): Failure | undefined {
  const gate = findVersionGate(version, needs)
  if (gate === undefined) return undefined
  return {
    exitCode: exitCodes.stale,
    message: `${gatedWords[gate.what]} needs service version ${gate.since} or later, and the site has ${version}`,
    next: ['upgrade the site first, or correct the version'],
  }
}

const gatedWords = {
  exportSite: 'exportSite',
  'exportSite validate': 'the check of a location (--validate)',
  deleteAll: 'deleteAll',
} as const satisfies Record<VersionGate['what'], string>
