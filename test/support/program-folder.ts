import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { landformCommand } from './landform-program.js'

/** Shell scripts that stand in for programs, by name. */
export type Scripts = Readonly<Record<string, string>>

/** Landform, and an npm that has nothing to install, as in a job of a pipeline. */
export const installed: Scripts = {
  landform: `exec ${landformCommand} "$@"`,
  npm: 'test "$*" = "ci --ignore-scripts"',
}

/** Writes the scripts to a folder. Returns a PATH that finds them first. */
export function pathWith(folder: string, scripts: Scripts): string {
  for (const [name, script] of Object.entries(scripts)) executable(join(folder, name), script)
  return `${folder}:${process.env['PATH']}`
}

/** Writes an executable script. */
export function executable(file: string, script: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}
