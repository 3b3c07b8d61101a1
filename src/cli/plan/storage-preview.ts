import { type NamedFileDefect, readLimited } from '../../library/read-files.js'
import type { Manifest } from '../../manifest/manifest.js'
import type { Plan } from '../../plan/plan.js'
import {
  listCaps,
  previewStorage,
  readStorageClasses,
  type StorageClass,
  storageDiagnostics,
} from '../../plan/storage-classes.js'
import { display } from '../../report/display.js'
import { exitCodes } from '../../report/exit-code.js'
import { describeNamedFileDefect } from '../../report/file-problem.js'
import { buildStorageSection, describeListFault, storageDocument } from '../../report/storage-preview.js'
import type { Result } from '../../result.js'
import type { Host } from '../host.js'
import type { Failure } from '../terminal/output.js'

/** Reads the storage classes of the cluster, if a file with them is named. */
export async function readClasses(
  file: string | undefined,
  host: Host,
): Promise<Result<readonly StorageClass[] | undefined, Failure>> {
  if (file === undefined) return { ok: true, value: undefined }
  const what = `the list of storage classes ${file === '-' ? 'on standard input' : display(file)}`
  // The file may be a pipe, such as `<(kubectl …)` in a shell.
  const bytes: Result<Uint8Array, NamedFileDefect> =
    file === '-'
      ? { ok: true, value: await host.readInput(listCaps.bytes) }
      : readLimited(file, { maxBytes: listCaps.bytes })
  if (!bytes.ok) {
    const message = `${what} ${describeNamedFileDefect(bytes.error, 'list')}`
    return { ok: false, error: { exitCode: exitCodes.missing, message } }
  }
  const read = readStorageClasses(bytes.value)
  if (read.ok) return read
  const { pointer, fault } = read.error
  const message = `${what} cannot be used: ${pointer === '' ? 'it' : pointer} ${describeListFault(fault)}`
  const next = 'create the file with: kubectl get storageclasses -o json'
  return { ok: false, error: { exitCode: exitCodes.invalid, message, next: [next] } }
}

/**
 * Compares the manifest with the cluster. For a configured site, only shows the classes, because its volumes exist.
 * Returns members of the JSON document of the plan, and sections of every other format.
 */
export function reportStorage(
  manifest: Manifest,
  { actions }: Plan,
  available: readonly StorageClass[] | undefined,
) {
  if (available === undefined) return { diagnostics: [], members: {}, sections: [] }
  const storage = previewStorage(manifest, available)
  const creates = actions.some(({ change }) => change === 'create')
  return {
    diagnostics: creates ? storageDiagnostics(manifest, storage) : [],
    members: { storage: storageDocument(storage) },
    sections: [buildStorageSection(storage)],
  }
}
