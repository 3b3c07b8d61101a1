import { createHash } from 'node:crypto'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { Organization } from '../manifest/manifest.js'
import { resolve, wipeAll } from './resolve.js'
import type { SecretSource } from './secret-source.js'
import { licenseFiles } from './wanted.js'

export type BoundFiles =
  | { readonly ok: true; readonly digests: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }

/** The digests of the license files, which bind a plan to them. Files of secrets are never digested. */
export async function bindFiles(organization: Organization, source: SecretSource): Promise<BoundFiles> {
  const files = licenseFiles(organization)
  const resolved = await resolve(files, source)
  if (!resolved.ok) return resolved
  const digests: Record<string, string> = {}
  for (const { path, pointer } of files) {
    const bytes = resolved.secrets.get(pointer)?.bytes ?? Buffer.alloc(0)
    digests[path] = sha256(bytes)
  }
  wipeAll(resolved.secrets)
  return { ok: true, digests }
}

/** The digest of a file's bytes as plans spell it. */
export function sha256(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}
