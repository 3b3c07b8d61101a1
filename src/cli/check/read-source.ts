import { type FileProblem, readNamed } from '../../library/read-named.js'
import type { Source } from '../../manifest/source.js'
import { describeProblem } from '../../report/problem-text.js'
import type { Result } from '../../result.js'
import { exitCodeOfProblem } from '../exit-code.js'
import type { Host } from '../host.js'
import type { Failure } from '../terminal/output.js'

export type SourceReply = Result<Source, Failure>

/** What messages call standard input and the file. */
interface Reading {
  readonly stdinName?: string | undefined
  readonly what?: 'manifest' | 'scenario' | 'policy' | 'property file' | 'test'
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
  return { exitCode: exitCodeOfProblem(problem), message: describeProblem(problem) }
}
