import { glob } from 'tinyglobby'
import type { Candidate } from './expand-files.js'

/** The files that a pattern stands for, in the order of their names. */
export async function filesLike(pattern: string): Promise<readonly Candidate[]> {
  const files = await glob(pattern, {
    expandDirectories: false,
    followSymbolicLinks: false,
    ignore: ['**/node_modules/**'],
  })
  return files.sort().map(file => ({ file, how: 'found' }))
}
