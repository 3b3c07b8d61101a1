import type { Result } from '../result.js'
import { runProgram } from '../state/run-program.js'
import { type Fields, parseFields } from './unchecked-fields.js'

type Environment = Readonly<Record<string, string | undefined>>

/** The reason why a program gave no credentials: `not-found`, `too-slow`, `not-json`, or its exit code. */
type ProgramDefect = 'not-found' | 'too-slow' | 'not-json' | number

interface ProgramRun {
  readonly program: string
  readonly args: readonly string[]
  readonly environment: Environment
  /** The folder in which it starts; the working folder if absent. */
  readonly folder?: string
}

/** A program that prints credentials. It may call a server, but cannot prompt. */
const deadlineMs = 60_000

/**
 * Runs a program of the user that prints credentials as JSON. Does not pass it the variables of Landform, and neither
 * shows nor keeps its output.
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
