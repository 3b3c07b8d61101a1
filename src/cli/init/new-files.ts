import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { CiFacts } from '../../ci/ci-facts.js'
import { githubWorkflow } from '../../ci/github-workflow.js'
import { gitlabPipeline } from '../../ci/gitlab.js'
import type { Manifest } from '../../manifest/manifest.js'
import { UsageError } from '../../report/exit-code.js'
import { shellWord } from '../../report/shell-word.js'
import { editorSchemas } from '../../schema/editor-schemas.js'
import { isObject, type JsonValue } from '../../schema/json-schema.js'
import {
  listManifestReferences,
  listReadReferences,
  type NeededReference,
} from '../../secrets/needed-references.js'
import type { Host } from '../host.js'
import { jsonText } from '../terminal/output.js'
import { makeFolder, renameFile, writeWhole } from '../terminal/write-file.js'

/** A new manifest, and the files that are written with it. */
interface NewFiles {
  readonly content: string
  /** Absent where the content is not valid yet; then no CI system gets a file. */
  readonly manifest: Manifest | undefined
  readonly link: SchemaLink | undefined
  readonly system: CiSystem | undefined
  /** What a person should know of the content. */
  readonly note?: string | undefined
  /** The words before the file in the command that comes next. */
  readonly next: string
}

/** Writes a new manifest and its companion files, and reports them; `-` prints only the manifest. */
export function writeNew(
  { content, manifest, link, system, note, next }: NewFiles,
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
  // Each in turn, so that no manifest names a schema that is missing.
  for (const { path, content: text, replaces } of files) {
    makeFolder(dirname(path))
    if (replaces === 'foreign') renameFile(path, `${path}.old`)
    writeWhole(path, { content: text, isNew: !(force || replaces === 'damaged') })
  }
  const folder = createLicenseFolder(file, content)
  if (quiet) return
  for (const { path, replaces } of files) {
    const kept =
      replaces === 'foreign' ? `; the other file of that name is now ${shellWord(`${path}.old`)}` : ''
    host.stderr.print(`wrote ${shellWord(path)}${kept}\n`)
  }
  if (folder !== undefined) host.stderr.print(`created ${shellWord(folder)}/: put the license file there\n`)
  const [, state] = /^ {2}state: (git:.*)/m.exec(content) ?? []
  if (state !== undefined && !isRepository(findRepository(file)))
    host.stderr.print(
      `note: spec.state is ${state}: run this in a git repository with that remote, or change it\n`,
    )
  if (note !== undefined) host.stderr.print(`note: ${note}\n`)
  host.stderr.print(`next: ${next} ${shellWord(file)}\n`)
}

/** Creates the folder of the license file; returns its path if it was missing. */
function createLicenseFolder(file: string, content: string): string | undefined {
  const [, license = ''] = /^ {2}license: \{ file: ([\w./-]+)/m.exec(content) ?? []
  const folder = dirname(join(dirname(file), license))
  const isBelow = !license.startsWith('/') && !license.split('/').includes('..')
  if (license === '' || !isBelow || existsSync(folder)) return undefined
  makeFolder(folder)
  return folder
}

const systems = {
  github: { path: join('.github', 'workflows', 'landform.yml'), text: githubWorkflow },
  gitlab: { path: '.gitlab-ci.yml', text: gitlabPipeline },
} as const satisfies Readonly<
  Record<string, { readonly path: string; readonly text: (facts: CiFacts) => string }>
>

export type CiSystem = keyof typeof systems

/** The path of the file of a CI system, relative to the working folder. */
export function ciPath(system: CiSystem, file: string): string {
  return relative('.', join(findRepository(file), systems[system].path))
}

/** The file of a CI system for a manifest. */
function ciFile(system: CiSystem, manifest: Manifest): NewFile {
  const { name, site, organization, file } = manifest
  const facts = {
    name,
    manifest: relative(findRepository(file), file).replaceAll('\\', '/'),
    origin: new URL(site.url).origin,
    variables: listVariables(listManifestReferences({ organization, site })),
    readVariables: listVariables(listReadReferences({ organization, site })),
  }
  return { path: ciPath(system, file), content: systems[system].text(facts) }
}

function listVariables(wanted: readonly NeededReference[]): readonly string[] {
  const all = wanted.flatMap(one =>
    one.kind === 'secret' && 'env' in one.reference ? [one.reference.env] : [],
  )
  return [...new Set(all)]
}

const usual = join('schemas', 'deployment.schema.json')

export interface SchemaLink {
  /** The address in the first line of the manifest. */
  readonly address: string
  /** The schema to write, if the file is missing. */
  readonly file?: NewFile
}

/**
 * Chooses the schema that editors use: the one of `--schema`, else the first `schemas/deployment.schema.json` in the
 * folder of the manifest or above, else a new one there. A file of that name that is no schema of manifests, such as an
 * empty one, would make editors check nothing, and is replaced.
 */
export function schemaLink(manifest: string, asked: string | undefined): SchemaLink {
  if (asked !== undefined) {
    if (/[\s\p{Cc}\p{Cf}]/u.test(asked)) throw new UsageError('--schema takes no spaces; write %20 in a URL')
    return { address: asked }
  }
  const folder = dirname(resolve(manifest))
  const found = foldersAbove(folder).find(one => existsSync(join(one, usual)))
  const path = join(found ?? folder, usual)
  const address = relative(folder, path).replaceAll('\\', '/')
  const schema = editorSchemas.deployment()
  const there = found === undefined ? undefined : readDocument(path)
  if (isObject(there) && there['$id'] === schema.$id) return { address }
  return {
    address,
    file: {
      path: found === undefined ? join(dirname(manifest), usual) : relative('.', path),
      content: jsonText(schema),
      ...(found !== undefined && { replaces: there === undefined ? 'damaged' : 'foreign' }),
    },
  }
}

/** Reads a JSON file; `undefined` for one that is empty or damaged. */
function readDocument(path: string): JsonValue | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as JsonValue
  } catch {
    return undefined
  }
}

/** The root of the repository around a file; without one, the folder of the file. */
function findRepository(file: string): string {
  const folder = dirname(resolve(file))
  return foldersAbove(folder).find(isRepository) ?? folder
}

/** Lists a folder and its parents, up to the root of the repository. */
function foldersAbove(folder: string): readonly string[] {
  const parent = dirname(folder)
  return isRepository(folder) || parent === folder ? [folder] : [folder, ...foldersAbove(parent)]
}

function isRepository(folder: string): boolean {
  return existsSync(join(folder, '.git'))
}

interface NewFile {
  readonly path: string
  readonly content: string
  /** The kind of file that is there and that it replaces; one of other people is kept under another name. */
  readonly replaces?: 'damaged' | 'foreign'
}
