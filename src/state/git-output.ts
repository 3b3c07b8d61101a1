import type { GitEnd } from './git-program.js'

/** Takes the objects and leaves no trace of it, whatever the configuration says. */
export const quietFetch = [
  'fetch',
  '--quiet',
  '--no-write-fetch-head',
  '--no-tags',
  '--no-prune',
  '--no-prune-tags',
  '--no-recurse-submodules',
  '--no-auto-gc',
  '--no-filter',
  '--refmap=',
]

/** The lines of what git printed. */
export function splitLines(output: Buffer): readonly string[] {
  return output
    .toString('utf8')
    .split('\n')
    .filter(line => line !== '')
}

/** The one line of what git printed. */
export function readLine({ stdout }: GitEnd): string {
  return stdout.toString('utf8').trim()
}

/**
 * What `cat-file --batch` printed: each object comes after a line with its size, and what is missing as a line without
 * one; then there are none.
 */
export function parseObjects(output: Buffer): readonly Buffer[] {
  const objects: Buffer[] = []
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf('\n', at)
    const size = / blob (\d+)$/.exec(output.toString('utf8', at, end))?.[1]
    if (size === undefined) return []
    const from = end + 1
    objects.push(output.subarray(from, from + Number(size)))
    at = from + Number(size) + 1
  }
  return objects
}
