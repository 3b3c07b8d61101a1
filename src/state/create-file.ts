import { constants } from 'node:fs'
import { dirname } from 'node:path'
import type { Disk } from './machine.js'

/**
 * Creates a file that must not exist yet; of several concurrent runs, one succeeds and the others get false. The file
 * is always absent or complete, even after a crash: it is written as `temporary` in the same folder, flushed, and
 * linked to its name; then the folder is flushed. Only its owner can read it.
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
    // A temporary file that remains does no harm, and is removed later.
    await disk.rm(temporary, { force: true }).catch(() => undefined)
  }
  await flushFolder(disk, dirname(path))
  return true
}

/** Gives a file a second name; false where another file has that name. */
export async function linkOnce(disk: Disk, file: string, path: string): Promise<boolean> {
  try {
    await disk.link(file, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    // A network file system may create the link, lose the response and reject the repeated request (link(2)).
    const [one, other] = [await disk.lstat(file), await disk.lstat(path)]
    return one.ino === other.ino && one.dev === other.dev
  }
}

/**
 * Creates a folder and its parents durably. Each lasts once its parent is flushed, whichever run created it: an earlier
 * one may have died before it could. Flushing ends at a mount point, which no run creates.
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
      // An unreadable folder cannot be flushed, which matters only where this run created something in it.
      if ((error as NodeJS.ErrnoException).code !== 'EACCES' || inner.length >= first.length) throw error
    }
  }
}

/** Flushes the names in a folder to the disk. */
export async function flushFolder(disk: Disk, folder: string): Promise<void> {
  const opened = await disk.open(folder, constants.O_RDONLY)
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}
