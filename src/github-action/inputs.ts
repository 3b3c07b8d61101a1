import type { Result } from '../result.js'

const actionCommands = ['validate', 'plan', 'apply', 'drift', 'test'] as const

/** The inputs of a step of a workflow, as `action.yml` describes them. */
export interface Inputs {
  readonly command: (typeof actionCommands)[number]
  readonly files: readonly string[]
  readonly args: readonly string[]
  /** Relative to the root of the workspace. */
  readonly workingDirectory: string
  /** The file to save a plan to, or the saved plan to apply. */
  readonly plan: string | undefined
  readonly comment: boolean
  readonly token: string
  /** The exit codes beside 0 that do not fail the step. */
  readonly succeedOn: readonly number[]
}

/** The inputs of a step, or the error in them. */
type InputsResult = Result<Inputs, string>

/** Reads the inputs of a step, which GitHub passes as variables; with an invalid input nothing runs. */
export function readInputs(environment: NodeJS.ProcessEnv): InputsResult {
  const readInput = (name: string) => environment[`INPUT_${name.toUpperCase()}`]?.trim() ?? ''
  const wrong = (name: string, problem: string): InputsResult => ({
    ok: false,
    error: `the input ${name} ${problem}`,
  })
  const command = actionCommands.find(one => one === readInput('command'))
  if (command === undefined) return wrong('command', `must be one of ${actionCommands.join(', ')}`)
  const words = splitWords(readInput('args'))
  if (!words.ok) return wrong('args', words.error)
  const codes = readInput('succeed-on')
    .split(/[\s,]+/)
    .filter(Boolean)
  if (!codes.every(code => /^\d{1,3}$/.test(code)))
    return wrong('succeed-on', 'must be a list of exit codes, such as 2,3')
  const comment = readInput('comment') || 'false'
  if (comment !== 'true' && comment !== 'false') return wrong('comment', 'must be true or false')
  const files = readInput('files')
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(Boolean)
  const plan = readInput('plan') || undefined
  if (plan !== undefined && command !== 'plan' && command !== 'apply')
    return wrong('plan', `is allowed with plan and apply, not with ${command}`)
  if (plan !== undefined && command === 'apply' && files.length > 0)
    return wrong('files', 'must be empty when a saved plan is applied: the plan names its manifest')
  return {
    ok: true,
    value: {
      command,
      files,
      args: words.value,
      workingDirectory: readInput('working-directory') || '.',
      plan,
      comment: comment === 'true',
      token: readInput('token'),
      succeedOn: codes.map(Number),
    },
  }
}

/** The words of a text, or the end of a sentence that starts with the name of the input. */
type SplitResult = Result<readonly string[], string>

/** A piece of a word: between single quotes, between double quotes, after a backslash, or plain. */
const piece = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/y

/**
 * Splits a text into words as a shell does, and interprets nothing else. Characters that a shell would interpret must be
 * quoted, so that their effect is not expected.
 */
export function splitWords(text: string): SplitResult {
  const words: string[] = []
  let word: string | undefined
  let at = 0
  while (at < text.length) {
    piece.lastIndex = at
    const found = piece.exec(text)
    if (found === null) {
      if (!/\s/.test(text.charAt(at))) return { ok: false, error: 'has an unterminated quote or backslash' }
      if (word !== undefined) words.push(word)
      word = undefined
      at += 1
      continue
    }
    const [whole, single, double, escaped, plain] = found
    const active = /[$`;&|<>()*?[\]{}~#!]/.exec(plain ?? '')?.[0]
    if (active !== undefined)
      return {
        ok: false,
        error: `is not read by a shell: put ${active} in single quotes if it is meant literally`,
      }
    word = (word ?? '') + (single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? '')
    at += whole.length
  }
  return { ok: true, value: word === undefined ? words : [...words, word] }
}
