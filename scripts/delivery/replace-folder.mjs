// Replaces the last build with a finished one, so that a checkout that is linked as the command stays usable during a build.
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Calls `build` with a new folder, and moves its files to `folder`. Removes older files, because they would be published. */
export async function replaceFolder(folder, build) {
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  const result = await build(unfinished)
  const built = readdirSync(unfinished, { withFileTypes: true })
  mkdirSync(folder, { recursive: true })
  for (const entry of built) {
    const place = join(folder, entry.name)
    if (entry.isDirectory()) rmSync(place, { recursive: true, force: true })
    renameSync(join(unfinished, entry.name), place)
  }
  const names = built.map(({ name }) => name)
  for (const name of readdirSync(folder))
    if (!names.includes(name)) rmSync(join(folder, name), { recursive: true })
  rmSync(unfinished, { recursive: true })
  return result
}
