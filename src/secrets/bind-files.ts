import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { Organization } from '../manifest/manifest.js'
import type { Result } from '../result.js'
import { listLicenseFiles } from './needed-references.js'
import { digestOfFile } from './resolve.js'
import type { SecretSource } from './secret-source.js'

export type BoundFiles = Result<
  {
    /** By path from the manifest's folder. */
    readonly digests: Readonly<Record<string, string>>
    /** Of the license files, by their fields. */
    readonly licenses: Readonly<Record<string, string>>
  },
  readonly Diagnostic[]
>

/**
 * Digests the license files, which bind a plan to them. Files of secrets are never digested. A file that is absent in a
 * rehearsal is not bound.
 */
export async function bindFiles(
  organization: Organization,
  source: SecretSource,
  presence: 'required' | 'optional' = 'required',
): Promise<BoundFiles> {
  const digests: Record<string, string> = {}
  const licenses: Record<string, string> = {}
  const diagnostics: Diagnostic[] = []
  for (const file of listLicenseFiles(organization)) {
    const found = await digestOfFile(file, source)
    if (typeof found === 'string') {
      digests[source.pathOf(file)] = found
      licenses[file.pointer] = found
    } else if (presence === 'required' || found.code !== 'file/missing') diagnostics.push(found)
  }
  return diagnostics.length === 0
    ? { ok: true, value: { digests, licenses } }
    : { ok: false, error: diagnostics }
}
