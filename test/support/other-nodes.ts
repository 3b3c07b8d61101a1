import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './manifests.js'

const platform = process.platform === 'win32' ? 'win' : process.platform
const name = `node-${platform}-${process.arch}`

const placeOf = (wanted: string) => join(root, 'node_modules', '.cache', 'landform-nodes', wanted)

/** The program of a version of Node such as `22` that `.ci/run` or a check installed; `undefined` where none did. */
export function installedNode(wanted: string): string | undefined {
  const file = platform === 'win' ? 'node.exe' : 'node'
  const program = join(placeOf(wanted), 'node_modules', name, 'bin', file)
  return versionOf(program) === undefined ? undefined : program
}

/**
 * The program of a version of Node such as `22`; `undefined` where npm cannot bring it. It comes from a package that holds
 * nothing else, none of whose scripts run, and is kept for the next time.
 */
export function nodeOf(wanted: string): string | undefined {
  const place = placeOf(wanted)
  if (installedNode(wanted) === undefined) {
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, 'package.json'), '{ "private": true }\n')
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
    spawnSync('npm', ['install', ...flags, `${name}@${wanted}`], { cwd: place, stdio: 'ignore' })
  }
  return installedNode(wanted)
}

/** The version that a program of Node says it is; `undefined` where it does not run. */
export function versionOf(program: string): string | undefined {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
