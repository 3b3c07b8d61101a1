import { constants } from 'node:fs'
import { link, lstat, mkdir, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a file that must not be there yet, so that of several runs at once one alone does; false for the others. At
 * every moment, also after a crash, it is absent or whole, and once this answers it stays: written as `temporary`, which
 * lies in the same folder, flushed, linked to its name, and the folder flushed. Readable by its owner only.
 */
export async function createFile(path: string, text: string, temporary: string): Promise<boolean> {
  await makeFolder(dirname(path))
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    if (!(await linkOnce(temporary, path))) return false
  } finally {
    // One that stays is in nobody's way, and is collected later.
    await rm(temporary, { force: true }).catch(() => undefined)
  }
  await flushFolder(dirname(path))
  return true
}

/** Gives a file a second name; false where that is the name of another file. */
export async function linkOnce(file: string, path: string): Promise<boolean> {
  try {
    await link(file, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    // A network file system may make the link, lose the answer and refuse the repeated request (link(2)).
    const [one, other] = [await lstat(file), await lstat(path)]
    return one.ino === other.ino && one.dev === other.dev
  }
}

/** A folder lasts once the one around it is flushed, whoever made it. */
async function makeFolder(folder: string): Promise<void> {
  const first = (await mkdir(folder, { recursive: true, mode: 0o700 })) ?? folder
  for (let made = folder; made.length >= first.length; made = dirname(made)) await flushFolder(dirname(made))
}

async function flushFolder(folder: string): Promise<void> {
  const opened = await open(folder, constants.O_RDONLY)
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}
