import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { type NamedFileDefect, readLimited } from '../../library/read-files.js'
import { isAsBound, type StaleFact } from '../../plan/saved/bindings.js'
import { looksLikePlan, type PlanProblem, parsePlan, type SavedPlan } from '../../plan/saved/saved-plan.js'
import { policyFileNames } from '../../policy/policy.js'
import { display } from '../../report/display.js'
import type { NextCommands } from '../../report/endings/ending.js'
import { toFailure } from '../../report/endings/problems.js'
import { type ExitCode, exitCodes } from '../../report/exit-code.js'
import { describeNamedFileDefect } from '../../report/file-problem.js'
import type { Result } from '../../result.js'
import { readUntyped } from '../../secrets/file-jail.js'
import { expandFiles } from '../check/expand-files.js'
import type { TypedCommands } from '../site/next-commands.js'
import type { Failure } from '../terminal/output.js'

/** Far more than the plan of the largest manifest. */
const maxBytes = 32 * 1024 * 1024
/** The limit of a license, the largest input of a plan. */
const maxInputBytes = 64 * 1024 * 1024

/** Tests whether a file has the name of a saved plan, or contains one, even a damaged one. */
export function isPlanFile(file: string): boolean {
  if (file.endsWith(planEnding)) return true
  const read = file === '-' ? undefined : readText(file)
  return read?.ok === true && looksLikePlan(read.value)
}

/** The ending of the files that `plan --out FOLDER` writes. */
export const planEnding = '.plan.json'

/** Lists the saved plans of a word: for a folder, the files that `plan --out` wrote, or the folder itself if there are none. */
export async function listPlanFiles(word: string): Promise<readonly string[]> {
  const { candidates } = await expandFiles([word])
  const plans = candidates.filter(({ file, how }) => how === 'named' || file.endsWith(planEnding))
  return plans.length === 0 ? [word] : plans.map(({ file }) => file)
}

/** Reads a saved plan, and rejects one whose content does not match its id. */
export function readPlanFile(file: string): Result<SavedPlan, Failure> {
  const reject = (exitCode: ExitCode, words: string, next: readonly string[] = []) =>
    ({ ok: false, error: { exitCode, message: `the plan ${display(file)} ${words}`, next } }) as const
  const text = readText(file)
  if (!text.ok) return reject(exitCodes.missing, describeNamedFileDefect(text.error, 'plan'))
  const read = parsePlan(text.value)
  if (read.ok) return read
  const [exitCode, words, next] = problems[read.error]
  return reject(exitCode, words, [next])
}

/** Reads the text of a plan. A pipe stays unread: it may hold a manifest, and can be read only once. */
function readText(file: string): Result<string, NamedFileDefect> {
  const read = readLimited(file, { maxBytes, pipes: false })
  if (!read.ok) return read
  const { value: bytes } = read
  if (bytes.byteLength > maxBytes) return { ok: false, error: { kind: 'too-large', limitBytes: maxBytes } }
  // PowerShell redirects output as UTF-16 with a byte order mark. The id protects the content.
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
  return { ok: true, value: bytes.toString(isWide ? 'utf16le' : 'utf8').replace(/^\ufeff/, '') }
}

const nameAnother = 'name a file that landform plan --out wrote'

const problems: Readonly<Record<PlanProblem, readonly [exitCode: ExitCode, words: string, next: string]>> = {
  'not-json': [exitCodes.invalid, 'is not JSON', nameAnother],
  'not-a-plan': [exitCodes.invalid, 'is not a saved plan', nameAnother],
  newer: [
    exitCodes.invalid,
    'was written by a newer Landform',
    'use that version, or plan again with this one',
  ],
  altered: [
    exitCodes.stale,
    'does not match its id: it was changed after it was saved',
    'plan again, and find out who changed the file',
  ],
}

/** Explains why a saved plan is stale before its site is read. */
export function toStaleFailure(moved: readonly StaleFact[], again: NextCommands): Failure {
  return toFailure({ kind: 'stale', moved }, again)
}

/** Finds the files that changed since the plan was made; a missing one counts as changed. */
export function findChangedInputs(saved: SavedPlan): Promise<readonly StaleFact[]> {
  const { manifest, binds } = saved.plan
  return findChanged([[manifest, { kind: 'manifest' }, binds.manifest], ...listBoundFiles(saved)])
}

/** Finds the policies that changed since the plan was made. Recognizes policies by their file names. */
export function findChangedPolicies(saved: SavedPlan): Promise<readonly StaleFact[]> {
  const names: readonly string[] = policyFileNames
  return findChanged(listBoundFiles(saved).filter(([path]) => names.includes(basename(path))))
}

type Input = readonly [path: string, fact: StaleFact, bound: string]

function listBoundFiles({ plan }: SavedPlan): readonly Input[] {
  return Object.entries(plan.binds.files).map(([file, digest]) => [
    join(dirname(plan.manifest), file),
    { kind: 'file', file },
    digest,
  ])
}

async function findChanged(inputs: readonly Input[]): Promise<readonly StaleFact[]> {
  const moved = await Promise.all(
    inputs.map(async ([path, fact, bound]) => {
      const isPlain = await isPlainFile(path)
      const reply = isPlain ? await readUntyped(path, maxInputBytes).catch(() => undefined) : undefined
      return reply?.kind === 'read' && isAsBound(bound, reply.bytes) ? [] : [fact]
    }),
  )
  return moved.flat()
}

/** The origin of the plan, and the options of its user. */
interface Given {
  /** The saved plan, as named by the user. */
  readonly file: string
  /** The value of `--manifest`: the manifest from which the plan must have been made. */
  readonly pinned: string | undefined
  /** The commands for the site, including the one that plans again. */
  readonly again: TypedCommands
}

/**
 * Checks the manifest that a saved plan names, because the plan may come from an untrusted source: it must be the one
 * of `--manifest` or, without that option, be in or below the working folder or the folder of the plan.
 */
export async function checkManifest(
  saved: SavedPlan,
  { file, pinned, again }: Given,
): Promise<Failure | undefined> {
  const { manifest } = saved.plan
  const real = await realPath(manifest)
  if (pinned !== undefined) {
    const named = await realPath(pinned)
    if (named === undefined)
      return { exitCode: exitCodes.missing, message: `the manifest ${display(pinned)} does not exist` }
    return named === real
      ? undefined
      : toStaleFailure([{ kind: 'other-manifest', manifest, named: pinned }], again)
  }
  const folders = await Promise.all(['.', dirname(file)].map(realPath))
  if (real === undefined) return undefined
  if (folders.some(folder => folder !== undefined && isBelow(folder, real))) return undefined
  return {
    ...toStaleFailure([{ kind: 'manifest-elsewhere', manifest }], again),
    next: [`if that manifest is the right one, run \`${again.perform(file)}\``],
  }
}

/** Tests whether a path leads to a regular file with content. Opening a pipe from an untrusted plan could block. */
export async function isPlainFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  // Files that the system generates when they are read, such as those in /proc, have no size and may never end.
  return found?.isFile() === true && found.size > 0
}

async function realPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined)
}

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
