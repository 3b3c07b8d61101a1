import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, withoutState } from './manifests.js'
import { temporaryFolder } from './temporary-folder.js'

/** A copy of a manifest of `examples/` with its licenses, in a folder of its own, which keeps its state beside it. */
export async function exampleCopy(name: string): Promise<string> {
  const folder = await temporaryFolder()
  cpSync(join(root, 'examples/licenses'), join(folder, 'licenses'), { recursive: true })
  const file = join(folder, `${name}.yaml`)
  writeFileSync(file, withoutState(readFileSync(join(root, 'examples', `${name}.yaml`), 'utf8')))
  return file
}
