import type { Stats } from 'node:fs'
import { link, lstat, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Holder, Liveness } from '../plan/submission.js'
import { liveness, thisProcess } from './process-identity.js'

/** The properties of an existing file. */
export type FileFacts = Pick<
  Stats,
  'isFile' | 'isDirectory' | 'isSymbolicLink' | 'uid' | 'mode' | 'ino' | 'dev'
>

/** An open file or folder. */
export interface DiskFile {
  stat(): Promise<FileFacts>
  readFile(encoding: 'utf8'): Promise<string>
  writeFile(text: string): Promise<void>
  /** Returns once the content of a file, or the names in a folder, are durable. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** The disk operations that state in files needs, as in `node:fs/promises`, with the errors of the system. */
export interface Disk {
  open(path: string, flags: string | number, mode?: number): Promise<DiskFile>
  mkdir(path: string, how: { readonly recursive: true; readonly mode: number }): Promise<string | undefined>
  link(file: string, path: string): Promise<void>
  rm(path: string, how: { readonly force: true }): Promise<void>
  readdir(path: string): Promise<string[]>
  stat(path: string): Promise<FileFacts>
  lstat(path: string): Promise<FileFacts>
}

/** The disk that holds the files, and the processes that may write to it. A test simulates one that loses power. */
export interface Machine {
  readonly disk: Disk
  /** Identifies this process for others. */
  self(): Promise<Holder>
  liveness(holder: Holder): Promise<Liveness>
}

/** The machine that this process runs on. */
export const thisMachine: Machine = {
  disk: { link, lstat, mkdir: makeFolders, open, readdir, rm, stat },
  self: thisProcess,
  liveness,
}

/**
 * Creates a folder and its parents, and returns the first that it created. The recursive `mkdir` of Node never ends
 * where /proc rejects one.
 */
async function makeFolders(path: string, { mode }: { readonly mode: number }): Promise<string | undefined> {
  if (await isMade(path, mode)) return path
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) return undefined
  const outer = dirname(path)
  const first = outer === path ? undefined : await makeFolders(outer, { mode })
  await mkdir(path, { mode }).catch(async (error: unknown) => {
    // Another run may have just created it.
    if (!(await stat(path).catch(() => undefined))?.isDirectory()) throw error
  })
  return first ?? path
}

async function isMade(path: string, mode: number): Promise<boolean> {
  return mkdir(path, { mode }).then(
    () => true,
    () => false,
  )
}
