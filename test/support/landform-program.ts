import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from './manifests.js'

/** The built program, which `npm run build` creates. */
export const landformProgram = join(root, 'dist', 'bin', 'landform.cjs')

/** The start of a shell command that runs the program. */
export const landformCommand = `'${process.execPath}' '${landformProgram}'`

/** Starts the program. Returns what it has printed so far, and the exit code and signal with which it ends. */
export function startProgram(args: readonly string[], options: SpawnOptions = {}) {
  const child = spawn(process.execPath, [landformProgram, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  })
  const said = { out: '', err: '' }
  child.stdout?.on('data', chunk => {
    said.out += chunk
  })
  child.stderr?.on('data', chunk => {
    said.err += chunk
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...said }))
  return { child, said, ended }
}
