import type { GitEnd } from './git-program.js'

/** Arguments of a fetch that only adds objects, under every configuration. */
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

/** Splits the output of git into its lines. */
export function splitLines(output: Buffer): readonly string[] {
  return output
    .toString('utf8')
    .split('\n')
    .filter(line => line !== '')
}

/** Reads the only line that git printed. */
export function readLine({ stdout }: GitEnd): string {
  return stdout.toString('utf8').trim()
}

/**
 * Parses the output of `cat-file --batch`: a line with the size precedes each object, and a missing one has a line
 * without a size; then the result is empty.
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
