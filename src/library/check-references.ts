import { dirname } from 'node:path'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { JsonPointer } from '../diagnostics/pointer.js'
import { placed, placeOf } from '../manifest/field-places.js'
import type { Manifest } from '../manifest/manifest.js'
import { resolve, wipeAll } from '../secrets/resolve.js'
import { secretSource } from '../secrets/secret-source.js'
import { lendTls } from '../secrets/tls-material.js'
import { wantedByConfigure, wantedBySignIn, wantedByUpdate } from '../secrets/wanted.js'

/** Follows every reference of a manifest, and forgets what it found at once: only problems come back, at their place. */
export async function checkReferences(
  manifest: Manifest,
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<readonly Diagnostic[]> {
  const { organization, site } = manifest
  const folderOf = (pointer: JsonPointer) => dirname(placeOf(manifest.places, pointer, 'value').file)
  const wanted = [...wantedByConfigure(organization), ...wantedByUpdate(site.token), ...wantedBySignIn(site)]
  const source = secretSource(environment, folder, folderOf)
  const resolved = await resolve(wanted, source)
  if (resolved.ok) wipeAll(resolved.value.secrets)
  const tls = site.tls && (await lendTls(site.tls, source, () => undefined))
  return [
    ...(resolved.ok ? resolved.value.warnings : resolved.error),
    ...(tls === undefined || tls.ok ? [] : tls.error),
  ].map(diagnostic => placed(manifest, diagnostic))
}
