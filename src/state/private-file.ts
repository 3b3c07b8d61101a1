import { createHash, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Holder } from '../plan/submission.js'
import type { Disk, FileFacts, Machine } from './machine.js'
import type { StateReason, StateReply } from './state-failure.js'

/**
 * Reads a file that only this user may access. Follows no link and does not block on a pipe: another user could create
 * one so that Landform reads another file or hangs.
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
 * Checks that a folder exists. With `stat`, a link to a folder is allowed; with `lstat`, it is not. Fails for anything
 * but a folder, and for one that other users may write to.
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
    // Another run created it after the first check, unless it is a link.
    return there.isSymbolicLink()
      ? failUnreadable(path, { kind: 'dangling-link' })
      : hasPrivateFolder(disk, path, method)
  }
}

/** True if anything has this name, even a dangling link. */
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

/** Checks the owner and the mode of a file. Without users and modes, as on Windows, every file passes. */
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

/**
 * Creates a file that must not exist yet; of several concurrent runs, one succeeds and the others get false. Even after
 * a crash, the file is either absent or complete: it is written as `temporary` in the same folder, flushed, and linked
 * to its name; then the folder is flushed. Only its owner can read it.
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
    // A leftover temporary file does no harm, and is removed later.
    await disk.rm(temporary, { force: true }).catch(() => undefined)
  }
  await flushFolder(disk, dirname(path))
  return true
}

/** Gives a file a second name; false if another file has that name. */
export async function linkOnce(disk: Disk, file: string, path: string): Promise<boolean> {
  try {
    await disk.link(file, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    // A network file system may create the link, lose its response and reject the repeated request (link(2)).
    const [one, other] = [await disk.lstat(file), await disk.lstat(path)]
    return one.ino === other.ino && one.dev === other.dev
  }
}

/**
 * Creates a folder and its parents durably. A folder is durable once its parent is flushed, whichever run created it:
 * an earlier run may have died before flushing. Stops at a mount point, which no run creates.
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
      // An unreadable folder cannot be flushed; that is a failure only if this run created something in it.
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

/** Returns a unique name for a temporary file, from which other runs can check whether its writer still runs. */
export async function temporaryName(machine: Machine): Promise<string> {
  const self = await machine.self()
  return `.${formatMachine(self)}-${self.pid}-${self.startedAt ?? 0}-${randomBytes(6).toString('hex')}.tmp`
}

/**
 * Removes temporary files of processes that died while writing, but none that may still be written. Failures are
 * ignored, because the next write tries again.
 */
export async function collectLeftovers(machine: Machine, folder: string): Promise<void> {
  const self = await machine.self()
  for (const name of await machine.disk.readdir(folder).catch(() => [])) {
    const [, place, pid, startedAt] = /^\.([0-9a-f]{8})-(\d+)-(\d+)-[0-9a-f]{12}\.tmp$/.exec(name) ?? []
    if (place !== formatMachine(self)) continue
    const writer = {
      ...self,
      pid: Number(pid),
      ...(self.startedAt !== undefined && { startedAt: `${startedAt}` }),
    }
    if ((await machine.liveness(writer)) === 'dead')
      await machine.disk.rm(join(folder, name), { force: true }).catch(() => undefined)
  }
}

/** Digests the facts within which a process number identifies one process. */
function formatMachine({ host, machine, boot, namespace }: Holder): string {
  return createHash('sha256')
    .update(JSON.stringify([host, machine, boot, namespace]))
    .digest('hex')
    .slice(0, 8)
}
