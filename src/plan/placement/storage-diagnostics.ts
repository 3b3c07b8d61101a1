import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { findSimilar } from '../../manifest/did-you-mean.js'
import { addPlace } from '../../manifest/field-places.js'
import type { Manifest } from '../../manifest/manifest.js'
import type { NamedClass, StoragePreview } from './storage-preview.js'

/**
 * Checks the storage classes of a manifest before its site is created: a missing class is reported once, at the first
 * volume that names it. Kubernetes; public sources for the rest.
 */
export function storageDiagnostics(
  manifest: Manifest,
  { classes, available }: StoragePreview,
): readonly Diagnostic[] {
  return classes.flatMap(one => diagnoseClass(one, available)).map(one => addPlace(manifest, one))
}

function diagnoseClass(
  { name, components, found, faults }: NamedClass,
  available: readonly string[],
): readonly Diagnostic[] {
  const at = `/spec/volumes/${components[0]}/storageClass` as const
  if (found === undefined)
    return [
      diagnose('volume/no-such-storage-class', at, {
        name,
        components,
        suggestion: findSimilar(name, available),
        available,
      }),
    ]
  const facts = { name, components, mode: found.volumeBindingMode, policy: found.reclaimPolicy }
  return faults.map(fault => diagnose(codes[fault], at, facts))
}

const codes = {
  'cannot-expand': 'volume/class-cannot-expand',
  'binds-at-once': 'volume/class-binds-at-once',
  'keeps-volumes': 'volume/class-keeps-volumes',
} as const
