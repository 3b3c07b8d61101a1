import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { addPlace } from '../manifest/field-places.js'
import type { Manifest } from '../manifest/manifest.js'
import { listLicenseFiles, listManifestReferences, listTlsFiles } from '../secrets/needed-references.js'
import { resolve, wipeAll } from '../secrets/resolve.js'
import { checkCertificates, withTlsMaterial } from '../secrets/tls-material.js'
import { openSecrets } from './site.js'

/** Resolves every reference of a manifest, discards the values, and returns only the diagnostics, each with its position. */
export async function checkReferences(
  manifest: Manifest,
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<readonly Diagnostic[]> {
  const source = openSecrets(manifest, { folder, environment })
  const resolved = await resolve(listManifestReferences(manifest), source)
  if (resolved.ok) wipeAll(resolved.value.secrets)
  const { tls: settings } = manifest.site
  const tls = settings && (await withTlsMaterial(settings, source, () => undefined))
  return [
    ...(resolved.ok ? resolved.value.warnings : resolved.error),
    ...(tls === undefined || tls.ok ? [] : tls.error),
  ].map(diagnostic => addPlace(manifest, diagnostic))
}

/** Results of `checkNamedFiles`, by the files: many manifests name the same ones. */
export type KnownFindings = Map<string, readonly Diagnostic[]>

/**
 * Checks the license and the certificates of a manifest. Reads no secret. Ignores missing files, because they may exist
 * only where the manifest is applied.
 */
export async function checkNamedFiles(
  manifest: Manifest,
  folder: string,
  known: KnownFindings,
): Promise<readonly Diagnostic[]> {
  const source = openSecrets(manifest, { folder, environment: {} })
  const licenses = listLicenseFiles(manifest.organization)
  const certificates = listTlsFiles(manifest.site.tls)
  const names = [...licenses, ...certificates].map(file => [file.pointer, source.pathOf(file)])
  const key = JSON.stringify([folder, names])
  let found = known.get(key)
  if (found === undefined) {
    const resolved = await resolve(licenses, source)
    if (resolved.ok) wipeAll(resolved.value.secrets)
    found = [
      ...(resolved.ok ? resolved.value.warnings : resolved.error),
      ...(await Promise.all(certificates.map(file => checkCertificates(file, source)))).flat(),
    ]
    known.set(key, found)
  }
  return found.filter(({ code }) => code !== 'file/missing').map(one => addPlace(manifest, one))
}
