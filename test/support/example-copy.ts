import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, withoutState } from './manifests.js'
import { temporaryFolder } from './temporary-folder.js'

/** Copies a manifest of `examples/` and the licenses to a new folder, in which it keeps its state. Returns its path. */
export async function exampleCopy(name: string): Promise<string> {
  const folder = await temporaryFolder()
  cpSync(join(root, 'examples/licenses'), join(folder, 'licenses'), { recursive: true })
  const file = join(folder, `${name}.yaml`)
  writeFileSync(file, withoutState(readFileSync(join(root, 'examples', `${name}.yaml`), 'utf8')))
  return file
}
