import { type Result, type Site, type SiteRequest, type SiteWriter, siteWriter } from 'landform'
import { type ExitCode, exitCodes } from 'landform/cli'
import { openSite } from 'landform/sites'
import { computeManifestDigest } from '../model/manifest-digest.js'
import type { Order } from '../model/run.js'
import { classifyExitCode, classifyProblem, type RunEnding } from './ends.js'
import { type RunPorts, waitForTurn } from './run-ports.js'

/** An open site with its request and client. */
export interface RunSite {
  readonly site: Site
  readonly request: SiteRequest
  /** Reads and writes the site; never exposes its secrets. */
  readonly client: SiteWriter
  close(): void
}

/**
 * Opens the site of a run with the manifest of this worker, after checking that it is the submitted one: another manifest
 * could name another address. Sends nothing.
 */
export async function openRunSite(
  order: Order,
  ports: Pick<RunPorts, 'openManifest' | 'clock' | 'inTurn'>,
): Promise<Result<RunSite, RunEnding>> {
  const reject = (ending: RunEnding) => ({ ok: false, error: ending }) as const
  const found = await ports.openManifest(order)
  if (!found.ok) return reject(classifyExitCode(found.error.exitCode as ExitCode, found.error.message))
  const request = { ...found.value, ports: { ...found.value.ports, clock: ports.clock } }
  const opened = await waitForTurn(ports, 'open', () => openSite(request))
  if (!opened.ok) return reject(classifyProblem(opened.error, order))
  const { value: site } = opened
  const digest = computeManifestDigest(site)
  if (digest !== order.digest)
    return reject(classifyExitCode(exitCodes.refused, describeOtherManifest(digest, order)))
  const { provideToken } = site
  const client = request.ports.client ?? siteWriter(site.url, provideToken, site.route)
  return {
    ok: true,
    value: {
      site: { ...site, provideToken },
      request: { ...request, ports: { ...request.ports, client, provideToken } },
      client,
      close: () => site.close(),
    },
  }
}

function describeOtherManifest(found: string, { digest, name }: Order): string {
  const short = (text: string) => text.slice(0, 'sha256:'.length + 12)
  return `the manifest of ${name}, its bases or its policies differ from the submitted ones: the worker has ${short(found)}, submitted was ${short(digest)}; give the workers the submitted version, or submit it again`
}
