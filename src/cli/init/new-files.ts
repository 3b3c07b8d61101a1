import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { type CiFacts, inputEndings } from '../../ci/ci-facts.js'
import { type AddProblem, addSite, buildCiFile, isForeign } from '../../ci/ci-file.js'
import { type CiSystem, ciFiles } from '../../ci/ci-systems.js'
import type { Manifest } from '../../manifest/manifest.js'
import { exitCodes, UsageError } from '../../report/exit-code.js'
import { shellWord } from '../../report/shell-word.js'
import type { Result } from '../../result.js'
import { editorSchemas } from '../../schema/editor-schemas.js'
import { isObject, type JsonValue } from '../../schema/json-schema.js'
import {
  listManifestReferences,
  listNamedFiles,
  listReadReferences,
  type NeededReference,
} from '../../secrets/needed-references.js'
import { classifyPath } from '../check/expand-files.js'
import type { Host } from '../host.js'
import { type Failure, jsonText } from '../terminal/output.js'
import { isTaken, makeFolder, renameFile, writeWhole } from '../terminal/write-file.js'

/** A new manifest, and the files that are written with it. */
interface NewFiles {
  readonly content: string
  readonly link: SchemaLink | undefined
  /** The file of a CI system, if one is wanted. */
  readonly ci: CiChange | undefined
  /** Notes about the content for a person. */
  readonly notes: readonly string[]
  /** The words before the file name in the suggested next command. */
  readonly next: string
}

/** Writes a new manifest and its companion files, and reports them; `-` prints only the manifest. */
export function writeNew(
  { content, link, ci, notes, next }: NewFiles,
  { file, force, quiet }: { readonly file: string; readonly force: boolean; readonly quiet: boolean },
  host: Host,
): void {
  if (file === '-') {
    host.stdout.write(content)
    return
  }
  const files: readonly NewFile[] = [link?.file ?? [], ci?.file ?? [], { path: file, content }].flat()
  // In this order, so that no manifest refers to a missing schema.
  for (const { path, content: text, replaces } of files) {
    makeFolder(dirname(path))
    if (replaces === 'foreign') renameFile(path, `${path}.old`)
    writeWhole(path, { content: text, isNew: !(force || replaces === 'damaged' || replaces === 'extended') })
  }
  const folder = createLicenseFolder(file, content)
  if (quiet) return
  for (const { path, replaces } of files) {
    const kept =
      replaces === 'foreign' ? `; the other file of that name is now ${shellWord(`${path}.old`)}` : ''
    const done = replaces === 'extended' ? 'added the site to' : 'wrote'
    host.stderr.print(`${done} ${shellWord(path)}${kept}\n`)
  }
  if (folder !== undefined) host.stderr.print(`created ${shellWord(folder)}/: put the license file there\n`)
  const [, state] = /^ {2}state: (git:.*)/m.exec(content) ?? []
  if (state !== undefined && !isRepository(findRepository(file)))
    host.stderr.print(
      `note: spec.state is ${state}: run this in a git repository with that remote, or change it\n`,
    )
  for (const note of [...(ci?.notes ?? []), ...notes]) host.stderr.print(`note: ${note}\n`)
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

/** Returns the path of the file of a CI system, relative to the working folder. */
function ciPath(system: CiSystem, file: string): string {
  return relative('.', join(findRepository(file), ciFiles[system].path))
}

/** The change of a CI file for a new manifest; without a file if the site is in it already. */
interface CiChange {
  readonly file?: NewFile
  readonly notes: readonly string[]
}

/** Makes the file of a CI system for a manifest, or adds the manifest to the existing file. */
export function makeCiFile(system: CiSystem, manifest: Manifest, force: boolean): Result<CiChange, Failure> {
  const path = ciPath(system, manifest.file)
  const facts = collectFacts(manifest)
  // Azure Pipelines expands variables in any text.
  if (/[\s*?[\]\\]|\$\(/.test(facts.manifest))
    throw new UsageError(
      `--ci takes no path with a space, a wildcard or \`$(\`: rename ${shellWord(manifest.file)}`,
    )
  const before = readCiFile(system, manifest.file)
  const added = addSite(before ?? ciFiles[system].template, ciFiles[system], facts)
  if (!added.ok && (!force || added.error.kind === 'taken'))
    return { ok: false, error: refuseToAdd(added.error, path, { system, facts }) }
  const content = added.ok ? added.value : buildCiFile(ciFiles[system], [facts])
  if (content === before) return { ok: true, value: { notes: [] } }
  const isExtended = added.ok && before !== undefined
  const shared = facts.readVariables.filter(one => isExtended && before.includes(one))
  const notes = [
    ...(isRepository(findRepository(manifest.file))
      ? []
      : [`${shellWord(path)} is in no git repository: CI reads it at the root of one`]),
    ...(shared.length === 0
      ? []
      : [
          `plan and drift sign in to several sites with ${shared.join(', ')}: if the values differ, give ${facts.name} another variable`,
        ]),
  ]
  return { ok: true, value: { file: { path, content, ...(isExtended && { replaces: 'extended' }) }, notes } }
}

/** Reads the file of a CI system; empty if it is something else, such as a folder. */
function readCiFile(system: CiSystem, file: string): string | undefined {
  const path = ciPath(system, file)
  if (!isTaken(path)) return undefined
  return classifyPath(path) === 'file' ? readFileSync(path, 'utf8') : ''
}

/** Returns the path of the file of a CI system if somebody else wrote it. */
export function findForeign(system: CiSystem, file: string): string | undefined {
  const text = readCiFile(system, file)
  return text !== undefined && isForeign(text, ciFiles[system]) ? ciPath(system, file) : undefined
}

const usualPassword = 'LANDFORM_ADMIN_PASSWORD'

/** Chooses the variable of the administrator's password. Further sites get their own, because one job plans all of them. */
export function choosePassword(
  system: CiSystem | undefined,
  { file, name }: { readonly file: string; readonly name: string },
): string {
  const text = system === undefined ? undefined : readCiFile(system, file)
  const own = `LANDFORM_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_ADMIN_PASSWORD`
  const isListed = text?.split('\n').some(line => line.trim().startsWith(`${name} `) && line.includes('://'))
  const isShared = text?.includes(` ${usualPassword}`) === true && isListed !== true
  return isShared || text?.includes(` ${own}`) === true ? own : usualPassword
}

/** Explains why a site was not added to the file of a CI system, with the lines to add by hand. */
function refuseToAdd(
  problem: AddProblem,
  path: string,
  { system, facts }: { readonly system: CiSystem; readonly facts: CiFacts },
): Failure {
  const file = shellWord(path)
  const exitCode = exitCodes.refused
  switch (problem.kind) {
    case 'taken':
      return {
        exitCode,
        message: `${file} has this name or manifest already: \`${problem.row}\`; nothing was written`,
        next: ['give the site another name and file, or remove that row and run the same command again'],
      }
    case 'edited': {
      const lists = ciFiles[system].lists.map(({ head, lines }) => ({ head, added: lines(facts) }))
      const places = lists.filter(({ added }) => added.length > 0)
      const own = facts.readVariables.find(one => one.endsWith('_ADMIN_PASSWORD') && one !== usualPassword)
      const password = own === undefined ? '' : `, and write \`password: { env: ${own} }\` in the manifest`
      return {
        exitCode,
        message: `${file} was edited so that the site cannot be added safely; nothing was written`,
        next: [
          ...places.map(
            ({ head, added }) =>
              `add below each \`${head.trim()}\`: ${added.map(one => `\`${one}\``).join(', ')}`,
          ),
          `run the same command without --ci${password}`,
        ],
      }
    }
    default:
      return problem satisfies never
  }
}

function collectFacts({ name, site, organization, file, state }: Manifest): CiFacts {
  const toRoot = (path: string) => relative(findRepository(file), path).replaceAll('\\', '/')
  const isUnusual = (path: string) => !inputEndings.some(ending => path.endsWith(`.${ending}`))
  return {
    name,
    manifest: toRoot(file),
    origin: new URL(site.url).origin,
    variables: listVariables(listManifestReferences({ organization, site })),
    readVariables: listVariables(listReadReferences({ organization, site })),
    files: listNamedFiles({ organization, site })
      .filter(one => isUnusual(one.path))
      .map(one => toRoot(join(dirname(file), one.path))),
    azureState: state?.startsWith('azblob:') === true,
  }
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
 * folder of the manifest or above, else a new one there. If the file is not a schema of manifests, editors would check
 * nothing, so it is replaced.
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

/** Finds the root of the repository around a file; without a repository, the folder of the file. */
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
  /** The kind of existing file that is replaced. A foreign one is renamed first. */
  readonly replaces?: 'damaged' | 'foreign' | 'extended'
}
