import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { editorSchema } from '../../schema/manifest-schema.js'
import { jsonText } from '../terminal/output.js'
import { UsageError } from '../usage-error.js'
import type { NewFile } from './write-files.js'

const usual = join('schemas', 'deployment.schema.json')

export interface SchemaLink {
  /** What the first line of the manifest names. */
  readonly address: string
  /** The schema itself, where there is none yet. */
  readonly file?: NewFile
}

/**
 * The schema that editors shall use for a manifest: the one asked for, else the first `schemas/deployment.schema.json`
 * in its folder or above, else a new one beside it, which then serves the next manifest, too.
 */
export function schemaLink(manifest: string, asked: string | undefined): SchemaLink {
  if (asked !== undefined) {
    if (/[\s\p{Cc}\p{Cf}]/u.test(asked)) throw new UsageError('--schema takes no spaces; write %20 in a URL')
    return { address: asked }
  }
  const folder = dirname(resolve(manifest))
  const found = foldersAbove(folder).find(one => existsSync(join(one, usual)))
  const address = relative(folder, join(found ?? folder, usual)).replaceAll('\\', '/')
  return found === undefined
    ? { address, file: { path: join(dirname(manifest), usual), content: jsonText(editorSchema()) } }
    : { address }
}

/** The root of the repository around a file; without one, the folder of the file. */
export function repositoryOf(file: string): string {
  const folder = dirname(resolve(file))
  return foldersAbove(folder).find(isRepository) ?? folder
}

/** A folder and those around it, up to that of the repository. */
function foldersAbove(folder: string): readonly string[] {
  const parent = dirname(folder)
  return isRepository(folder) || parent === folder ? [folder] : [folder, ...foldersAbove(parent)]
}

function isRepository(folder: string): boolean {
  return existsSync(join(folder, '.git'))
}
