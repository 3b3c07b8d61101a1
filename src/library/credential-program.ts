import type { Result } from '../result.js'
import { runProgram } from '../state/run-program.js'
import { type Fields, parseFields } from './unchecked-fields.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Why a program gave no credentials: `not-found`, `too-slow`, its exit code, or an answer that is none. */
type ProgramDefect = 'not-found' | 'too-slow' | 'not-json' | number

interface ProgramRun {
  readonly program: string
  readonly args: readonly string[]
  readonly environment: Environment
  /** The folder that it starts in; the current one if absent. */
  readonly folder?: string
}

/** A program that prints credentials: it may call a server, but waits for no person. */
const deadlineMs = 60_000

/**
 * Runs a program of the user that prints credentials as JSON. It gets no secret of a site, and nothing that it prints is shown or
 * kept.
 */
export async function runCredentialProgram({
  program,
  args,
  environment,
  folder = process.cwd(),
}: ProgramRun): Promise<Result<Fields, ProgramDefect>> {
  const passed = Object.entries(environment).filter(([name]) => !name.startsWith('LANDFORM_'))
  const options = { folder, environment: Object.fromEntries(passed), deadlineMs }
  const { code, stdout } = await runProgram(program, args, options)
  const fields = parseFields(stdout.toString('utf8'))
  stdout.fill(0)
  if (code !== 0) return { ok: false, error: code }
  return fields === undefined ? { ok: false, error: 'not-json' } : { ok: true, value: fields }
}

/** Names a defect in a message, after the name of the program. */
export function describeProgramDefect(defect: ProgramDefect): string {
  return typeof defect === 'number' ? `exit code ${defect}` : defect
}
