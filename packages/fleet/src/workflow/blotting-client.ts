import { usualMostBytes } from '../../../../src/client/exchange.js'
import { failed } from '../../../../src/client/failure.js'
import { blottedTexts } from '../../../../src/client/site-reader.js'
import type { SiteWriter } from '../../../../src/client/site-writer.js'
import { type Blotter, blottedFailure, blotterFor } from '../../../../src/client/without-secrets.js'
import type { Site } from '../../../../src/library/site.js'
import { resolve } from '../../../../src/secrets/resolve.js'
import { Secret } from '../../../../src/secrets/secret.js'
import {
  type Wanted,
  wantedByConfigure,
  wantedBySignIn,
  wantedByUpdate,
} from '../../../../src/secrets/wanted.js'

/**
 * Blots every secret of a manifest out of what a site says. A client knows what it has sent itself; but a site may repeat it
 * hours later, to another worker, and what that hears goes to a database.
 */
export async function blottingClient(client: SiteWriter, site: Site): Promise<SiteWriter> {
  const blot = await blotterOf(site)
  return {
    ...client,
    observe: async (...how) => blottedTexts(await client.observe(...how), blot),
    async openConfigure(...how) {
      const opened = await client.openConfigure(...how)
      if (!opened.ok) return failed(blottedFailure(opened.failure, blot))
      const call = opened.value
      return {
        ok: true,
        value: { ...call, send: async signal => blottedTexts(await call.send(signal), blot) },
      }
    },
    async update(...how) {
      const done = await client.update(...how)
      return done.ok ? done : failed(blottedFailure(done.failure, blot))
    },
  }
}

/** What is not there cannot be repeated; whoever wants to send it says that it is missing. */
async function blotterOf({ manifest, secrets: source }: Site): Promise<Blotter> {
  const { organization, site } = manifest
  const wanted = [...wantedByConfigure(organization), ...wantedByUpdate(site.token), ...wantedBySignIn(site)]
  const found: Secret[] = []
  for (const one of wanted) found.push(...(await valuesOf(one, source)))
  const blot = blotterFor(found)
  for (const secret of found) secret.wipe()
  return blot
}

/** A license that is larger than any answer is not read for this. */
async function valuesOf(wanted: Wanted, source: Site['secrets']): Promise<readonly Secret[]> {
  if (wanted.kind === 'file') {
    const reply = await source.file(wanted, usualMostBytes)
    return reply.kind === 'read' ? [new Secret(reply.bytes)] : []
  }
  const resolved = await resolve([wanted], source)
  return resolved.ok ? [...resolved.secrets.values()] : []
}
