import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made: string[] = []

/** A new empty folder, which `removeTemporaryFolders` removes. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'landform-test-'))
  made.push(folder)
  return folder
}

/** For `afterEach`. */
export async function removeTemporaryFolders(): Promise<void> {
  await Promise.all(made.splice(0).map(folder => rm(folder, { recursive: true, force: true })))
}
