import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runProgram } from './program.js'

/** Packs what npm would publish into a folder, under the umask 077. Returns the paths of the tarballs, the program first. */
export async function packedInto(root: string, folder: string): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true })
  const pack = [process.execPath, join(root, 'scripts/pack.mjs'), folder]
  const { stdout, stderr, code } = await runProgram('sh', ['-c', 'umask 077 && exec "$0" "$@"', ...pack])
  if (code !== 0) throw new Error(`the package was not packed: ${stderr}`)
  return stdout.trim().split('\n')
}

/** Installs a tarball into an empty folder without a registry, and adds a manifest and a program. */
export async function installInto(folder: string, root: string, tarball: string): Promise<void> {
  await installTogether(folder, [tarball])
  for (const [from, to] of [
    ['examples/quickstart.yaml', 'site.yaml'],
    ['examples/licenses', 'licenses'],
    ['examples/library/apply.mjs', 'apply.mjs'],
    ['test/invalid/volume/missing-component.yaml', 'wrong.yaml'],
  ] as const)
    cpSync(join(root, from), join(folder, to), { recursive: true })
}

/** Installs tarballs into an empty folder without a registry. */
export async function installTogether(folder: string, tarballs: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  // Uses a new cache, since a filled one could stand in for a registry.
  const words = ['install', '--offline', '--no-audit', '--no-fund', '--cache', join(dirname(folder), 'npm')]
  const { code, stderr } = await runProgram('npm', [...words, ...tarballs], { cwd: folder })
  if (code !== 0) throw new Error(`the package was not installed: ${stderr}`)
}
