import { dirname } from 'node:path'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { JsonPointer } from '../diagnostics/pointer.js'
import { placed } from '../manifest/effective.js'
import type { Manifest } from '../manifest/manifest.js'
import { resolve, wipeAll } from '../secrets/resolve.js'
import { secretSource } from '../secrets/secret-source.js'
import { wantedByConfigure, wantedBySignIn, wantedByUpdate } from '../secrets/wanted.js'
import type { Host } from './host.js'

/** Follows every reference of a manifest, and forgets what it found at once: only problems come back, at their place. */
export async function checkReferences(
  manifest: Manifest,
  environment: Host['environment'],
  folder: string,
): Promise<readonly Diagnostic[]> {
  const { organization, site } = manifest
  const folderOf = (pointer: JsonPointer) => dirname(manifest.place(pointer, 'value').file)
  const wanted = [...wantedByConfigure(organization), ...wantedByUpdate(site.token), ...wantedBySignIn(site)]
  const resolved = await resolve(wanted, secretSource(environment, folder, folderOf))
  if (!resolved.ok) return resolved.diagnostics.map(diagnostic => placed(manifest, diagnostic))
  wipeAll(resolved.secrets)
  return []
}
