import { glob } from 'tinyglobby'

/** The files that a pattern stands for, in the order of their names. */
export async function filesLike(pattern: string): Promise<readonly string[]> {
  const files = await glob(pattern, {
    expandDirectories: false,
    followSymbolicLinks: false,
    ignore: ['**/node_modules/**'],
  })
  return files.sort()
}
