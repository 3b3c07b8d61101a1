import { constants } from 'node:fs'
import { dirname } from 'node:path'
import type { Disk } from './machine.js'

/**
 * Makes a file that must not be there yet, so that of several runs at once one alone does; false for the others. At
 * every moment, also after a crash, it is absent or whole, and once this answers it stays, if its folder does: written as
 * `temporary`, which lies in the same folder, flushed, linked to its name, and the folder flushed. Readable by its owner only.
 */
export async function createFile(
  disk: Disk,
  path: string,
  { text, temporary }: { readonly text: string; readonly temporary: string },
): Promise<boolean> {
  try {
    const file = await disk.open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    if (!(await linkOnce(disk, temporary, path))) return false
  } finally {
    // One that stays is in nobody's way, and is collected later.
    await disk.rm(temporary, { force: true }).catch(() => undefined)
  }
  await flushFolder(disk, dirname(path))
  return true
}

/** Gives a file a second name; false where that is the name of another file. */
export async function linkOnce(disk: Disk, file: string, path: string): Promise<boolean> {
  try {
    await disk.link(file, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    // A network file system may make the link, lose the answer and refuse the repeated request (link(2)).
    const [one, other] = [await disk.lstat(file), await disk.lstat(path)]
    return one.ino === other.ino && one.dev === other.dev
  }
}

/**
 * Makes a folder, and those around it, so that they stay. Each lasts once the one around it is flushed, whoever made it: an
 * earlier run may have died before it could. No run makes the place where another disk begins.
 */
export async function makeFolder(disk: Disk, folder: string): Promise<void> {
  const first = (await disk.mkdir(folder, { recursive: true, mode: 0o700 })) ?? folder
  const { dev } = await disk.stat(folder)
  for (
    let inner = folder, outer = dirname(inner);
    outer !== inner;
    [inner, outer] = [outer, dirname(outer)]
  ) {
    if ((await disk.stat(outer)).dev !== dev) return
    try {
      await flushFolder(disk, outer)
    } catch (error) {
      // A folder that may not be read cannot be flushed; what this run made in one would not last.
      if ((error as NodeJS.ErrnoException).code !== 'EACCES' || inner.length >= first.length) throw error
    }
  }
}

/** Makes the names in a folder last. */
export async function flushFolder(disk: Disk, folder: string): Promise<void> {
  const opened = await disk.open(folder, constants.O_RDONLY)
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}
