import { constants } from 'node:fs'
import type { Disk, FileFacts } from './machine.js'
import type { StateReason, StateReply } from './state-failure.js'

/**
 * Reads a file that only this user may access. Follows no link and waits for no pipe: another user could create one to
 * make Landform read another file, or hang.
 */
export async function readPrivate(disk: Disk, path: string): Promise<StateReply<string>> {
  try {
    const file = await disk.open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const found = await file.stat()
      const rejection = found.isFile() ? checkAccess(found, 0o077) : ({ kind: 'not-a-file' } as const)
      return rejection === undefined
        ? { ok: true, value: await file.readFile('utf8') }
        : failUnreadable(path, rejection)
    } finally {
      await file.close()
    }
  } catch (error) {
    return failUnreadable(path, toSystemReason(error))
  }
}

/**
 * Checks that a folder exists, following a link in its place (`stat`) or not (`lstat`). A folder that others may write
 * to is a failure, and so is anything but a folder.
 */
export async function hasPrivateFolder(
  disk: Disk,
  path: string,
  method: 'stat' | 'lstat',
): Promise<StateReply<boolean>> {
  try {
    const found = await disk[method](path)
    const rejection = found.isDirectory() ? checkAccess(found, 0o022) : ({ kind: 'not-a-folder' } as const)
    if (rejection !== undefined) return failUnreadable(path, rejection)
    const isWritable = process.getuid === undefined || (found.mode & 0o200) !== 0
    return !isWritable && (await disk.lstat(path)).isSymbolicLink()
      ? failUnreadable(path, { kind: 'link-to-read-only' })
      : { ok: true, value: true }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return failUnreadable(path, toSystemReason(error))
    const there = await disk.lstat(path).catch(() => undefined)
    if (there === undefined) return { ok: true, value: false }
    // Anything but a link was created by another run after the first check.
    return there.isSymbolicLink()
      ? failUnreadable(path, { kind: 'dangling-link' })
      : hasPrivateFolder(disk, path, method)
  }
}

/** True where anything has this name, even a dangling link. */
export async function isThere(disk: Disk, path: string): Promise<boolean> {
  return disk.lstat(path).then(
    () => true,
    () => false,
  )
}

/** Wraps the message of the operating system about a file. */
export function toSystemReason(error: unknown): StateReason {
  return { kind: 'system', message: (error as NodeJS.ErrnoException).message }
}

/** Checks the owner and the mode of a file; without users and modes, as on Windows, everything passes. */
function checkAccess({ uid, mode }: FileFacts, forbidden: number): StateReason | undefined {
  const own = process.getuid?.()
  if (own === undefined) return undefined
  if (uid !== own) return { kind: 'other-owner', uid }
  if ((mode & forbidden) !== 0) return { kind: 'open-to-others' }
  return undefined
}

function failUnreadable(where: string, reason: StateReason): StateReply<never> {
  return { ok: false, error: { kind: 'unreadable', where, reason } }
}
