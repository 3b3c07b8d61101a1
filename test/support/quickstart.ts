import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesIn } from './files-in.js'
import { root } from './manifests.js'
import { temporaryFolder } from './temporary-folder.js'

interface Declared {
  /** The address of the site. Default: that of the example. */
  readonly url?: string
  /** The state location. Default: none is declared. */
  readonly state?: string | undefined
}

/** Writes the quickstart example to a folder, as `site.yaml`, with its licenses. Returns the path of the manifest. */
export function writeQuickstart(folder: string, { url, state }: Declared = {}): string {
  cpSync(join(root, 'examples/licenses'), join(folder, 'licenses'), { recursive: true })
  const text = readFileSync(join(root, 'examples/quickstart.yaml'), 'utf8')
  const addressed = url === undefined ? text : text.replace(/https:.*admin/, url)
  const declared = state === undefined ? '' : `  state: ${state}\n`
  const file = join(folder, 'site.yaml')
  writeFileSync(file, addressed.replace('\nspec:\n', `\nspec:\n${declared}`))
  return file
}

/** Creates a folder with the quickstart example and other files. */
export async function quickstartFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await temporaryFolder()
  writeQuickstart(folder)
  filesIn(folder, files)
  return folder
}
