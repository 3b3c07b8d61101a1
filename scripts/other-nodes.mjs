// The versions of Node that users have, from npm: packages that hold nothing but the program. They are brought once and kept
// outside the project, and none of their scripts run.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const platform = process.platform === 'win32' ? 'win' : process.platform
const name = `node-${platform}-${process.arch}`

/** The program of a version such as `22`; `undefined` where npm cannot bring it. */
export function nodeOf(wanted) {
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

/** What a program says that it is; `undefined` where it does not run. */
export function versionOf(program) {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
