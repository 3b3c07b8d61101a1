import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './manifests.js'

const platform = process.platform === 'win32' ? 'win' : process.platform
const name = `node-${platform}-${process.arch}`

/**
 * The program of a version of Node such as `22`; `undefined` where npm cannot bring it. It comes from a package that holds
 * nothing else, none of whose scripts run, and is kept for the next time.
 */
export function nodeOf(wanted: string): string | undefined {
  const place = join(root, 'node_modules', '.cache', 'landform-nodes', wanted)
  const program = join(place, 'node_modules', name, 'bin', platform === 'win' ? 'node.exe' : 'node')
  if (!existsSync(program)) {
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, 'package.json'), '{ "private": true }\n')
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
    spawnSync('npm', ['install', ...flags, `${name}@${wanted}`], { cwd: place, stdio: 'ignore' })
  }
  return versionOf(program) === undefined ? undefined : program
}

/** The version that a program of Node says it is; `undefined` where it does not run. */
export function versionOf(program: string): string | undefined {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
