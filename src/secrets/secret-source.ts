import { join, relative, sep } from 'node:path'
import type { JsonPointer } from '../schema/pointer.js'
import { type DigestReply, digestJailed, type FileReply, type OpenedFile, openJailed } from './file-jail.js'
import type { NeededReference } from './needed-references.js'

/** A path, and the field that names it: paths are relative to the file in which the field is written. */
export interface FileAt {
  readonly pointer: JsonPointer
  readonly path: string
}

/** The targets of references: the environment, files below the folder of the naming file, or stand-ins in a rehearsal. */
export interface SecretSource {
  variable(name: string): string | undefined
  /** Reads a file. A file longer than `wholeBytes`, if that is given, may be only opened. */
  file(at: FileAt, maxBytes: number, wholeBytes?: number): Promise<FileReply | OpenedFile>
  digest(at: FileAt, maxBytes: number): Promise<DigestReply>
  /** The path of a file as seen from the folder of the manifest. */
  pathOf(at: FileAt): string
  /** Creates a value in place of a missing one; `undefined` outside a rehearsal. */
  standIn(wanted: NeededReference): Buffer | undefined
}

/** Creates a source from an environment and the folder of a manifest; `folderOf` is for bases in other folders. */
export function secretSource(
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
  folderOf: (pointer: JsonPointer) => string = () => folder,
): SecretSource {
  return {
    variable: name => environment[name],
    file: ({ pointer, path }, maxBytes, wholeBytes = maxBytes) =>
      openJailed(folderOf(pointer), path, { maxBytes, wholeBytes }),
    digest: ({ pointer, path }, maxBytes) => digestJailed(folderOf(pointer), path, maxBytes),
    pathOf: ({ pointer, path }) => relative(folder, join(folderOf(pointer), path)).replaceAll(sep, '/'),
    standIn: () => undefined,
  }
}

export async function readWholeFile(source: SecretSource, at: FileAt, maxBytes: number): Promise<FileReply> {
  const reply = await source.file(at, maxBytes)
  if (reply.kind === 'opened') throw new Error('a file was opened that is to be read')
  return reply
}

/**
 * Adds made-up values to a source in place of missing ones: the emulator needs no real secret. `random` returns letters and
 * digits, so that no two values are equal.
 */
export function rehearsalSource(source: SecretSource, random: () => string): SecretSource {
  const standIn = ({ kind }: NeededReference) => {
    const text = `Rehearsal1-${random()}`
    return Buffer.from(kind === 'file' ? JSON.stringify({ license: text }) : text)
  }
  return { ...source, standIn }
}

/** Adds a source for the files that the first source lacks. */
export function withFallback(source: SecretSource, other: SecretSource): SecretSource {
  return {
    ...source,
    async file(...wanted) {
      const own = await source.file(...wanted)
      return own.kind === 'missing' ? other.file(...wanted) : own
    },
    async digest(at, maxBytes) {
      const own = await source.digest(at, maxBytes)
      return own.kind === 'missing' ? other.digest(at, maxBytes) : own
    },
  }
}
