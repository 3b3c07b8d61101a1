import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './manifests.js'

const platform = process.platform === 'win32' ? 'win' : process.platform
const name = `node-${platform}-${process.arch}`

const cache = join(root, 'node_modules', '.cache')

/** Returns the path of a Node version such as `22` that `.ci/run` or a check installed, or `undefined`. */
export function installedNode(wanted: string): string | undefined {
  const file = platform === 'win' ? 'node.exe' : 'node'
  const program = join(cache, 'landform-nodes', wanted, 'node_modules', name, 'bin', file)
  return versionOf(program) === undefined ? undefined : program
}

/** Installs a Node version such as `22` with npm. Returns its path, or `undefined` if npm cannot install it. */
export function nodeOf(wanted: string): string | undefined {
  keepPackage('landform-nodes', name, wanted)
  return installedNode(wanted)
}

/**
 * Installs a package that is not a dependency, without running its scripts, unless it is already there. Returns its folder,
 * which is missing if npm failed.
 */
export function keepPackage(kept: string, packageName: string, version: string): string {
  const place = join(cache, kept, version)
  const folder = join(place, 'node_modules', packageName)
  if (!existsSync(folder)) {
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, 'package.json'), '{ "private": true }\n')
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
    spawnSync('npm', ['install', ...flags, `${packageName}@${version}`], { cwd: place, stdio: 'ignore' })
  }
  return folder
}

/** Returns the version that a Node program prints, or `undefined` if it does not run. */
export function versionOf(program: string): string | undefined {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
