import type { Manifest } from '../../manifest/manifest.js'
import type { Host } from '../host.js'
import { shellWord } from '../terminal/output.js'
import { type CiSystem, ciFile } from './ci-file.js'
import type { SchemaLink } from './schema-link.js'
import { writeFiles } from './write-files.js'

/** A new manifest, and what is written with it. */
export interface NewFiles {
  readonly content: string
  /** Absent where the content is not valid yet; then no CI system gets a file. */
  readonly manifest: Manifest | undefined
  readonly link: SchemaLink | undefined
  readonly system: CiSystem | undefined
  /** The words before the file in the command that comes next. */
  readonly next: string
}

/** Writes a new manifest with what belongs beside it, and says so; `-` prints it alone. */
export function writeNew(
  { content, manifest, link, system, next }: NewFiles,
  { file, force, quiet }: { readonly file: string; readonly force: boolean; readonly quiet: boolean },
  host: Host,
): void {
  if (file === '-') {
    host.stdout.write(content)
    return
  }
  const files = [
    ...(link?.file === undefined ? [] : [link.file]),
    ...(system === undefined || manifest === undefined ? [] : [ciFile(system, manifest)]),
    { path: file, content },
  ]
  writeFiles(files, force)
  if (quiet) return
  for (const { path } of files) host.stderr.write(`wrote ${shellWord(path)}\n`)
  host.stderr.write(`next: ${next} ${shellWord(file)}\n`)
}
