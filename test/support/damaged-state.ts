import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Cuts every version of every site in a folder of state short. */
export async function damageState(folder: string): Promise<void> {
  for (const file of await readdir(folder, { recursive: true }))
    if (file.endsWith('.json')) await writeFile(join(folder, file), '{"formatVersion":1')
}
