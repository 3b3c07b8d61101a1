import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { landformCommand } from './landform-program.js'

/** Scripts of the shell that stand for programs, by their names. */
export type Scripts = Readonly<Record<string, string>>

/** Landform, and npm where all is installed already: what a job of a pipeline finds. */
export const installed: Scripts = {
  landform: `exec ${landformCommand} "$@"`,
  npm: 'test "$*" = "ci --ignore-scripts"',
}

/** Makes a folder of programs, and answers with a PATH on which they are found first. */
export function pathWith(folder: string, scripts: Scripts): string {
  for (const [name, script] of Object.entries(scripts)) executable(join(folder, name), script)
  return `${folder}:${process.env['PATH']}`
}

/** Writes a script that can be run. */
export function executable(file: string, script: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}
