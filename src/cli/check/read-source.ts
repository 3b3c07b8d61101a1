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

type SourceReply = Result<Source, Failure>

/** The words with which messages name standard input and the file. */
interface Reading {
  readonly stdinName?: string | undefined
  readonly what?: 'manifest' | 'scenario' | 'policy' | 'property-file' | 'test'
}

/** Unless it has a name. */
const standardInput = '<stdin>'

/** Reads a file that the user named on the command line. */
export async function readSource(
  host: Host,
  file: string,
  { stdinName = standardInput, what = 'manifest' }: Reading = {},
): Promise<SourceReply> {
  if (file === '-') return { ok: true, value: { name: stdinName, bytes: await host.readInput() } }
  const reply = readNamed(file, what)
  return reply.ok ? reply : { ok: false, error: fileFailure(reply.error) }
}

/** A file that cannot be used, as a failure of a command. */
export function fileFailure(problem: FileProblem): Failure {
  const isAbsent = problem.what === 'manifest' && problem.defect.kind === 'missing'
  return {
    ...toFailure(problem),
    ...(isAbsent && {
      next: [`correct the name, or write one: \`landform init ${shellWord(problem.file)}\``],
    }),
  }
}

/** Explains as a failure why a manifest could not be loaded, with the files that were read nevertheless. */
export function loadFailure(problem: LoadProblem): OpenFailure {
  if (problem.kind === 'file')
    return { failure: fileFailure(problem), readLines: () => undefined, inputs: [] }
  const { kind, sources } = problem
  const inputs = kind === 'policy' ? [] : sources.map(({ name }) => name)
  return { failure: toFailure(problem), readLines: redactLines(sources), inputs }
}

/** The lines of these files that may be shown: without their secrets, and made ready once a file. */
export function redactLines(sources: readonly Source[]): ReadLines {
  const ready = new Map<string, readonly string[] | undefined>()
  return file => {
    const source = sources.find(({ name }) => name === file)
    if (source !== undefined && !ready.has(file))
      ready.set(file, (redactText(source) ?? buildSkeleton(source))?.split(/\r?\n/))
    return ready.get(file)
  }
}

/** The policy files that the command line names. */
export function checkPolicyNames(named: readonly string[]): readonly string[] {
  if (named.includes('-'))
    throw new UsageError('--policy must be a file: standard input is read as the manifest')
  return named
}
