import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { toWriteError } from '../../report/file-problem.js'

/** The content of a file, and whether it may replace another one. */
interface Writing {
  readonly content: string | Uint8Array
  /** Fails if the path exists. */
  readonly isNew?: boolean
}

/**
 * Writes a file completely or not at all, so that the old content remains if there is no space for the new: writes a
 * temporary file beside it, and renames that. Keeps the mode, and keeps a link. Throws a `WriteError`.
 */
export function writeWhole(file: string, { content, isNew = false }: Writing): void {
  attempt(file, () => {
    const found = statSync(file, { throwIfNoEntry: false })
    // A device, a pipe and a dangling link have no content to keep.
    const isPlain = found === undefined ? !isTaken(file) : found.isFile()
    if (isNew || isPlain) placeFile(file, { content, isNew, found })
    else writeFileSync(file, content)
  })
}

/**
 * Creates a folder and its parents one by one, because the recursive `mkdir` of Node reports a read-only disk as a
 * missing folder. Throws a `WriteError`.
 */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  attempt(folder, () => mkdirSync(folder))
}

/** Deletes a file, if there is one. Throws a `WriteError`. */
export function deleteFile(file: string): void {
  attempt(file, () => rmSync(file, { force: true }))
}

/** Renames a file. Throws a `WriteError`. */
export function renameFile(from: string, to: string): void {
  attempt(to, () => renameSync(from, to))
}

function attempt(path: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    throw toWriteError(path, error)
  }
}

/** Tests whether the path exists, even as a dangling link. */
export function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

interface Placing extends Required<Writing> {
  readonly found: { readonly mode: number; readonly size: number } | undefined
}

function placeFile(file: string, { content, isNew, found }: Placing): void {
  const path = found === undefined ? file : realpathSync(file)
  const beside = `${path}.landform-${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(beside, content, { flag: 'wx' })
    // Reserves the name: renaming would replace a file that appeared meanwhile.
    if (isNew) writeFileSync(path, '', { flag: 'wx' })
    // Restores the permissions that the umask of the process removed.
    else if (found !== undefined) chmodSync(beside, found.mode)
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    // If the folder allows no temporary file, an empty file can be written in place: it has nothing to lose.
    if (isNew || found?.size !== 0) throw error
    writeFileSync(path, content)
  }
}
