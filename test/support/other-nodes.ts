import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './manifests.js'

const platform = process.platform === 'win32' ? 'win' : process.platform
const name = `node-${platform}-${process.arch}`

const cache = join(root, 'node_modules', '.cache')

/** The program of a version of Node such as `22` that `.ci/run` or a check installed; `undefined` where none did. */
export function installedNode(wanted: string): string | undefined {
  const file = platform === 'win' ? 'node.exe' : 'node'
  const program = join(cache, 'landform-nodes', wanted, 'node_modules', name, 'bin', file)
  return versionOf(program) === undefined ? undefined : program
}

/**
 * The program of a version of Node such as `22`; `undefined` where npm cannot bring it. It comes from a package that holds
 * nothing else.
 */
export function nodeOf(wanted: string): string | undefined {
  keepPackage('landform-nodes', name, wanted)
  return installedNode(wanted)
}

/**
 * Brings a package that is no dependency, unless it is there from the last time or npm cannot. None of its scripts run. Returns
 * its folder.
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

/** The version that a program of Node says it is; `undefined` where it does not run. */
export function versionOf(program: string): string | undefined {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
