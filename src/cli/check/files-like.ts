import { glob } from 'tinyglobby'

/** Lists the files that match a pattern, sorted by name. */
export async function filesLike(pattern: string): Promise<readonly string[]> {
  const files = await glob(pattern, {
    expandDirectories: false,
    followSymbolicLinks: false,
    ignore: ['**/node_modules/**'],
  })
  return files.sort()
}
