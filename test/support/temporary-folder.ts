import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './at-end.js'

const made: string[] = []

/** Creates an empty folder, which is removed at the end of the file of tests, or by `removeTemporaryFolders`. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'landform-test-'))
  made.push(folder)
  atEnd(removeTemporaryFolders, 'file')
  return folder
}

export async function removeTemporaryFolders(): Promise<void> {
  // A process that is just ending may still write into a folder, so removal is retried.
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }
  await Promise.all(made.splice(0).map(folder => rm(folder, options)))
}
