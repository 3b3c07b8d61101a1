import type { LoadProblem } from '../../library/problem.js'
import { type FileProblem, readNamed } from '../../library/read-files.js'
import { buildSkeleton, redactText } from '../../manifest/redacted-text.js'
import type { Source } from '../../manifest/source.js'
import { toFailure } from '../../report/endings/problems.js'
import { UsageError } from '../../report/exit-code.js'
import type { ReadLines } from '../../report/findings-text.js'
import { shellWord } from '../../report/shell-word.js'
import type { Result } from '../../result.js'
import type { Host } from '../host.js'
import type { Failure, OpenFailure } from '../terminal/output.js'

/** The words with which messages name standard input and the file. */
interface Reading {
  readonly stdinName?: string | undefined
  readonly what?: FileProblem['what']
}

/** Reads a file that the user named on the command line. */
export async function readSource(
  host: Host,
  file: string,
  { stdinName = '<stdin>', what = 'manifest' }: Reading = {},
): Promise<Result<Source, Failure>> {
  if (file === '-') return { ok: true, value: { name: stdinName, bytes: await host.readInput() } }
  const reply = readNamed(file, what)
  return reply.ok ? reply : { ok: false, error: fileFailure(reply.error) }
}

/** Builds the failure of a command for a file that cannot be used. */
export function fileFailure(problem: FileProblem): Failure {
  const failure = toFailure(problem)
  if (problem.what !== 'manifest' || problem.defect.kind !== 'missing') return failure
  return {
    ...failure,
    next: [`correct the name, or write one: \`landform init ${shellWord(problem.file)}\``],
  }
}

/** Builds the failure for a manifest that could not be loaded, with the files that were read nevertheless. */
export function loadFailure(problem: LoadProblem): OpenFailure {
  if (problem.kind === 'file') return { failure: fileFailure(problem) }
  const { kind, sources } = problem
  const inputs = kind === 'policy' ? [] : sources.map(({ name }) => name)
  return { failure: toFailure(problem), readLines: redactLines(sources), inputs }
}

/** Returns a reader for the lines of these files, with their secrets redacted once per file. */
export function redactLines(sources: readonly Source[]): ReadLines {
  const ready = new Map<string, readonly string[] | undefined>()
  return file => {
    const source = sources.find(({ name }) => name === file)
    if (source !== undefined && !ready.has(file))
      ready.set(file, (redactText(source) ?? buildSkeleton(source))?.split(/\r?\n/))
    return ready.get(file)
  }
}

/** Returns the policy files of the command line. Throws a `UsageError` for standard input. */
export function checkPolicyNames(named: readonly string[]): readonly string[] {
  if (named.includes('-'))
    throw new UsageError('--policy must be a file: standard input is read as the manifest')
  return named
}
