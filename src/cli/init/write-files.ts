import { lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../usage-error.js'

export interface NewFile {
  readonly path: string
  readonly content: string
}

/** True where something has that name already, be it a link to nothing. */
export function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Refuses a file in a folder that is not there: mostly its path is mistyped. */
export function needFolderOf(path: string): void {
  if (statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`there is no folder ${dirname(path)}`)
}

/** Writes one file after the other. Unless asked to, it replaces none, even if it came between the look and now. */
export function writeFiles(files: readonly NewFile[], replace: boolean): void {
  for (const { path, content } of files) {
    try {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content, { flag: replace ? 'w' : 'wx' })
    } catch (error) {
      const { code = 'unknown cause' } = error as NodeJS.ErrnoException
      throw new UsageError(`${path} cannot be written (${code})`)
    }
  }
}
