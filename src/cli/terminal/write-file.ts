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

/** The content of a file, and whether it may take the place of another one. */
interface Writing {
  readonly content: string | Uint8Array
  /** Refuses a path that is taken. */
  readonly isNew?: boolean
}

/**
 * Writes a file: all of it, or nothing, so that the old content stays where the new one finds no room. It is written
 * beside its place and then renamed, with the rights that it had; a link stays. Throws a `WriteError`.
 */
export function writeWhole(file: string, { content, isNew = false }: Writing): void {
  attempt(file, () => {
    const found = statSync(file, { throwIfNoEntry: false })
    // A device, a pipe and a link to nothing have no content to keep.
    const isPlain = found === undefined ? !isTaken(file) : found.isFile()
    if (isNew || isPlain) placeFile(file, { content, isNew, found })
    else writeFileSync(file, content)
  })
}

/**
 * Creates a folder and those around it, one by one: the recursive `mkdir` of Node reports a read-only disk as a missing folder.
 * Throws a `WriteError`.
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

/** Gives a file another name. Throws a `WriteError`. */
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

/** True where something has that name already, be it a link to nothing. */
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
    // The umask of the process removes rights from a new file.
    else if (found !== undefined) chmodSync(beside, found.mode)
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    // Where its folder allows no other file, an empty one loses nothing.
    if (isNew || found?.size !== 0) throw error
    writeFileSync(path, content)
  }
}
