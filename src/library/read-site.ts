import { siteReader } from '../client/site-reader.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { computeDrift, type Drift, type Incomparable } from '../plan/drift/drift.js'
import type { Observation } from '../plan/observation.js'
import { isPending, type Submission } from '../plan/submission.js'
import type { Result } from '../result.js'
import { selectContent } from '../state/site-state.js'
import { defaultLifetimeMs, readSituation } from './make-plan.js'
import { openSite, type SiteRequest } from './open-site.js'
import type { SiteProblem } from './problem.js'
import { systemClock } from './system-ports.js'

/** A program's request that only reads a site. */
type ReadRequest = Omit<SiteRequest, 'saved' | 'signature' | 'ignoreImmutable' | 'acceptLocalState'>

/** A site compared with its manifest, or the reason why they cannot be compared now. */
export interface ComparedSite {
  readonly comparison: Result<Drift, Incomparable>
  /** Warnings about the manifest, and about the site as it is. */
  readonly warnings: readonly Diagnostic[]
}

/** Compares each field of a manifest with its site, as `landform drift` does. Sends only GET and the sign-in request. */
export async function compareSite(request: ReadRequest): Promise<Result<ComparedSite, SiteProblem>> {
  const opened = await openSite(request)
  if (!opened.ok) return opened
  const { value: site } = opened
  const { ports: { clock = systemClock, client } = {}, signal = new AbortController().signal } = request
  const options = { ignored: [], lifetimeMs: defaultLifetimeMs, signal }
  const found = await readSituation(site, { clock, client }, options).finally(() => site.close())
  if (!found.ok) return found
  const { diagnostics, ...comparison } = computeDrift(found.value)
  return { ok: true, value: { comparison, warnings: [...site.warnings, ...diagnostics] } }
}

/** The state of a site, with the request whose outcome is unknown. */
export interface SiteStatus {
  readonly url: string
  readonly observed: Observation
  readonly pending?: Submission
}

/** Observes a site, as `landform status` does. Sends only GET and the sign-in request. */
export async function observeSite(request: ReadRequest): Promise<Result<SiteStatus, SiteProblem>> {
  const opened = await openSite(request)
  if (!opened.ok) return opened
  const { url, route, provideToken, state, close } = opened.value
  const { ports: { client } = {}, signal = new AbortController().signal } = request
  const polled = await (client ?? siteReader(url, provideToken, route)).observe(signal).finally(close)
  const kept = await state.read()
  if (!kept.ok) return { ok: false, error: { kind: 'state', failure: kept.error } }
  const { caFile } = route
  if (!polled.ok) return { ok: false, error: { kind: 'look', url, failure: polled.error, caFile } }
  const { submission: pending } = selectContent(kept.value)
  const isOpen = pending !== undefined && isPending(pending)
  return { ok: true, value: { url, observed: polled.value, ...(isOpen && { pending }) } }
}
