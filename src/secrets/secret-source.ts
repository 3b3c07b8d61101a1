import { join, relative, sep } from 'node:path'
import type { JsonPointer } from '../schema/pointer.js'
import { type DigestReply, digestJailed, type FileReply, type OpenedFile, openJailed } from './file-jail.js'
import type { NeededReference } from './needed-references.js'

/** A path, and the field that names it: paths are relative to the file in which the field is written. */
export interface FileAt {
  readonly pointer: JsonPointer
  readonly path: string
}

/** The targets of references: the environment, files below the folder of what names them, or stand-ins for a rehearsal. */
export interface SecretSource {
  variable(name: string): string | undefined
  /** A file that is longer than `wholeBytes`, if that is given, may be opened only. */
  file(at: FileAt, maxBytes: number, wholeBytes?: number): Promise<FileReply | OpenedFile>
  /** Digests a file. */
  digest(at: FileAt, maxBytes: number): Promise<DigestReply>
  /** The path of a file as seen from the folder of the manifest. */
  pathOf(at: FileAt): string
  /** Makes a value for a missing one; `undefined` outside a rehearsal. */
  standIn(wanted: NeededReference): Buffer | undefined
}

/** The environment of a process, and the folder of a manifest; `folderOf` is for manifests in several folders. */
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

/** Reads a file as a whole. */
export async function readWholeFile(source: SecretSource, at: FileAt, maxBytes: number): Promise<FileReply> {
  const reply = await source.file(at, maxBytes)
  if (reply.kind === 'opened') throw new Error('a file was opened that is to be read')
  return reply
}

/**
 * Adds made-up values for missing ones to a source: the emulator needs no real secret. `random` makes text of letters and
 * digits, so that no two values are equal.
 */
export function rehearsalSource(source: SecretSource, random: () => string): SecretSource {
  const standIn = ({ kind }: NeededReference) => {
    const text = `Rehearsal1-${random()}`
    return Buffer.from(kind === 'file' ? JSON.stringify({ license: text }) : text)
  }
  return { ...source, standIn }
}

/** Takes a file that a source lacks from another source. */
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
