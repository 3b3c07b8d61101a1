import { spawnSync } from 'node:child_process'

/** How a program ended. */
export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end. */
export function runWords(program: string, words: readonly string[]): Ended {
  return spawnSync(program, words, { encoding: 'utf8', maxBuffer: 1e9, timeout: 600_000, cwd: '/' })
}
