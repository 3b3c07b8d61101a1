import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './manifests.js'

/**
 * Copies the project to a temporary folder with links to its packages, and without the build unless `withBuild` is set. The
 * copy is removed when the process ends.
 */
export function scratchCopy(
  name: string,
  { withBuild = false }: { readonly withBuild?: boolean } = {},
): string {
  const folder = mkdtempSync(join(tmpdir(), `landform-${name}-`))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const left = ['.git', 'node_modules', ...(withBuild ? [] : ['dist'])]
  cpSync(root, folder, {
    recursive: true,
    // The compiled package for fleets refers to the compiled library by a link.
    verbatimSymlinks: true,
    filter: source => !left.some(one => source === join(root, one)),
  })
  linkPackages(join(folder, 'node_modules'))
  return folder
}

/** Links the packages of this project, except those of the workspace, for which the copy has its own. */
function linkPackages(folder: string): void {
  const installed = join(root, 'node_modules')
  mkdirSync(folder)
  // These are relative links, so copying them makes them point into the copy.
  for (const name of readdirSync(installed))
    if (name === '@landform')
      cpSync(join(installed, name), join(folder, name), { recursive: true, verbatimSymlinks: true })
    else symlinkSync(join(installed, name), join(folder, name))
}
