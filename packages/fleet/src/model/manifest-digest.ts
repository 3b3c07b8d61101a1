import type { Manifest, Policy } from 'landform'
import { computeDigest } from 'landform/sites'

/**
 * Computes the digest (`sha256:…`) of a manifest, its bases, nearest first, and its policies, in any order. It does not
 * depend on paths, because workers have other folders.
 */
export function computeManifestDigest({
  manifest,
  policies,
}: {
  readonly manifest: Pick<Manifest, 'digest' | 'bases'>
  readonly policies: readonly Pick<Policy, 'digest'>[]
}): string {
  const layers = [manifest.digest, ...manifest.bases.map(base => base.digest)]
  const rules = new Set(policies.map(policy => policy.digest))
  return computeDigest(JSON.stringify({ layers, policies: [...rules].toSorted() }))
}
