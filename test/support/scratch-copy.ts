import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './manifests.js'

/**
 * Copies the project to a folder to change and throw away, with the packages of this one; what was built comes along only
 * where it is asked for. It is gone when the process ends.
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
    // The compiled package for fleets finds the compiled library by one.
    verbatimSymlinks: true,
    filter: source => !left.some(one => source === join(root, one)),
  })
  linkPackages(join(folder, 'node_modules'))
  return folder
}

/** Links the packages of this project; those that are made here are the ones of the copy. */
function linkPackages(folder: string): void {
  const installed = join(root, 'node_modules')
  mkdirSync(folder)
  // They are links that begin where they are.
  for (const name of readdirSync(installed))
    if (name === '@landform')
      cpSync(join(installed, name), join(folder, name), { recursive: true, verbatimSymlinks: true })
    else symlinkSync(join(installed, name), join(folder, name))
}
