import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesIn } from './files-in.js'
import { root, withoutState } from './manifests.js'
import { temporaryFolder } from './temporary-folder.js'

interface Changes {
  /** The manifest below `examples/`. Default: `quickstart`. */
  readonly example?: string
  /** The name of the new file. Default: `site.yaml`. */
  readonly name?: string
  /** The address of the site. Default: that of the example. */
  readonly url?: string
  /** The state location. Default: none is declared. */
  readonly state?: string | undefined
  edit?(text: string): string
}

/** Writes an example to a folder, with the licenses. Returns the path of the manifest. */
export function writeExample(folder: string, changes: Changes = {}): string {
  const { example = 'quickstart', name = 'site.yaml', url, state, edit = String } = changes
  cpSync(join(root, 'examples/licenses'), join(folder, 'licenses'), { recursive: true })
  const text = withoutState(readFileSync(join(root, 'examples', `${example}.yaml`), 'utf8'))
  const declared = state === undefined ? text : text.replace('\nspec:\n', `\nspec:\n  state: ${state}\n`)
  const file = join(folder, name)
  writeFileSync(file, edit(url === undefined ? declared : declared.replace(/https:.*admin/, url)))
  return file
}

/** Copies a manifest of `examples/` and the licenses to a new folder, in which it keeps its state. Returns its path. */
export async function exampleCopy(example: string): Promise<string> {
  return writeExample(await temporaryFolder(), { example, name: `${example}.yaml` })
}

/** Creates a folder with the quickstart example, as `site.yaml`, and other files. */
export async function quickstartFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await temporaryFolder()
  writeExample(folder)
  filesIn(folder, files)
  return folder
}
