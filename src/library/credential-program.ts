import type { Result } from '../result.js'
import { runProgram } from '../state/run-program.js'
import { type Fields, toFields } from './unchecked-fields.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Why a program gave no credentials: `not-found`, `too-slow`, its exit code, or an answer that is none. */
type ProgramDefect = 'not-found' | 'too-slow' | 'not-json' | number

interface ProgramRun {
  readonly program: string
  readonly args: readonly string[]
  readonly environment: Environment
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
}: ProgramRun): Promise<Result<Fields, ProgramDefect>> {
  const passed = Object.entries(environment).filter(([name]) => !name.startsWith('LANDFORM_'))
  const options = { folder: process.cwd(), environment: Object.fromEntries(passed), deadlineMs }
  const { code, stdout } = await runProgram(program, args, options)
  try {
    if (code !== 0) return { ok: false, error: code }
    const fields = toFields(JSON.parse(stdout.toString('utf8')))
    return fields === undefined ? { ok: false, error: 'not-json' } : { ok: true, value: fields }
  } catch {
    return { ok: false, error: 'not-json' }
  } finally {
    stdout.fill(0)
  }
}

/** Names a defect in a message, after the name of the program. */
export function describeProgramDefect(defect: ProgramDefect): string {
  return typeof defect === 'number' ? `exit code ${defect}` : defect
}
