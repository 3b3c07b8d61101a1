import { dirname } from 'node:path'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { JsonPointer } from '../diagnostics/pointer.js'
import { addPlace, findFile } from '../manifest/field-places.js'
import type { Manifest } from '../manifest/manifest.js'
import { listManifestReferences } from '../secrets/needed-references.js'
import { resolve, wipeAll } from '../secrets/resolve.js'
import { secretSource } from '../secrets/secret-source.js'
import { withTlsMaterial } from '../secrets/tls-material.js'

/** Resolves every reference of a manifest, discards the values, and returns only the problems, each with its place. */
export async function checkReferences(
  manifest: Manifest,
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<readonly Diagnostic[]> {
  const folderOf = (pointer: JsonPointer) => dirname(findFile(manifest.places, pointer))
  const source = secretSource(environment, folder, folderOf)
  const resolved = await resolve(listManifestReferences(manifest), source)
  if (resolved.ok) wipeAll(resolved.value.secrets)
  const { tls: settings } = manifest.site
  const tls = settings && (await withTlsMaterial(settings, source, () => undefined))
  return [
    ...(resolved.ok ? resolved.value.warnings : resolved.error),
    ...(tls === undefined || tls.ok ? [] : tls.error),
  ].map(diagnostic => addPlace(manifest, diagnostic))
}
