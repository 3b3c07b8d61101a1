import type { Stats } from 'node:fs'
import { link, lstat, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Holder, Liveness } from '../plan/submission.js'
import { liveness, thisProcess } from './process-identity.js'

/** What is asked of a file that is there. */
export type FileFacts = Pick<
  Stats,
  'isFile' | 'isDirectory' | 'isSymbolicLink' | 'uid' | 'mode' | 'ino' | 'dev'
>

/** A file or a folder that is open. */
export interface DiskFile {
  stat(): Promise<FileFacts>
  readFile(encoding: 'utf8'): Promise<string>
  writeFile(text: string): Promise<void>
  /** What was written lasts once this answers; of a folder, the names in it. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** What state in files asks of a disk, as `node:fs/promises` has it; errors are those of the system. */
export interface Disk {
  open(path: string, flags: string | number, mode?: number): Promise<DiskFile>
  mkdir(path: string, how: { readonly recursive: true; readonly mode: number }): Promise<string | undefined>
  link(file: string, path: string): Promise<void>
  rm(path: string, how: { readonly force: true }): Promise<void>
  readdir(path: string): Promise<string[]>
  stat(path: string): Promise<FileFacts>
  lstat(path: string): Promise<FileFacts>
}

/** The disk that files lie on, and the processes that may write to it. A proof makes up one that loses its power. */
export interface Machine {
  readonly disk: Disk
  /** This process, as others will know it. */
  self(): Promise<Holder>
  liveness(holder: Holder): Promise<Liveness>
}

/** The one that this process runs on. */
export const thisMachine: Machine = {
  disk: { link, lstat, mkdir: makeFolders, open, readdir, rm, stat },
  self: thisProcess,
  liveness,
}

/** Makes a folder and those around it, and tells the first that it made. That of Node never ends where /proc refuses one. */
async function makeFolders(path: string, { mode }: { readonly mode: number }): Promise<string | undefined> {
  if (await isMade(path, mode)) return path
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) return undefined
  const outer = dirname(path)
  const first = outer === path ? undefined : await makeFolders(outer, { mode })
  await mkdir(path, { mode }).catch(async (error: unknown) => {
    // Another run may have made it meanwhile.
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
