import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../support/manifests.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

/** A folder of its own with a manifest and its license. */
export async function exampleFolder(): Promise<string> {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'licenses'))
  for (const file of ['licenses/site.json', 'quickstart.yaml'])
    await cp(join(root, 'examples', file), join(folder, file))
  return folder
}
