// Puts a finished build in the place of the last one, so that a checkout that is linked as the command stays usable while it is built.
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Lets `build` write to an empty folder beside `folder`; what only an earlier build made is removed, or it would be published. */
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
