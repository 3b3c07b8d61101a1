import { digest } from '../../../../src/manifest/digest.js'
import type { Manifest } from '../../../../src/manifest/manifest.js'
import type { Policy } from '../../../../src/policy/policy.js'

/** A manifest with the policies that it keeps to. */
export interface Meaning {
  readonly manifest: Pick<Manifest, 'digest' | 'bases'>
  readonly policies: readonly Pick<Policy, 'digest'>[]
}

/**
 * `sha256:…` of everything that a manifest means: its bytes, those of what it builds on, nearest first, and those of its
 * policies in whatever order and from wherever they were read. Paths do not count, for a worker has other folders.
 */
export function manifestDigest({ manifest, policies }: Meaning): string {
  const layers = [manifest.digest, ...manifest.bases.map(base => base.digest)]
  const rules = new Set(policies.map(policy => policy.digest))
  return digest(JSON.stringify({ layers, policies: [...rules].toSorted() }))
}
