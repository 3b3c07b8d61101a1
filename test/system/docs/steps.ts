import { type Fence, fencesOf } from './fences.js'

/** A command of a session, with its output and exit code on the page. */
export interface Turn {
  readonly command: string
  readonly said: string
  readonly exit: number
}

/** A step of a page, in order. */
export type Step = { readonly line: number } & (
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'run'; readonly commands: string; readonly exit: number }
  | { readonly kind: 'session'; readonly turns: readonly Turn[]; readonly fence: Fence }
  | { readonly kind: 'not-run'; readonly commands: string; readonly reason: string }
  | { readonly kind: 'shown'; readonly language: string; readonly text: string }
)

/** Parses a page: `sh` and `console` blocks are run, a block with a `file` comment is written, others are only shown. */
export function stepsOf(markdown: string): readonly Step[] {
  const steps: Step[] = []
  let said: Readonly<Record<string, string>> = {}
  for (const part of fencesOf(markdown)) {
    if (part.kind === 'fence') {
      steps.push(step(part, said))
      said = {}
      continue
    }
    const [, word = '', text = ''] = /^(file|exit|not run):\s*([\s\S]*)$/.exec(part.text) ?? []
    if (word !== '') said = { ...said, [word]: text.trim() }
  }
  return steps
}

function step(fence: Fence, said: Readonly<Record<string, string>>): Step {
  const { language, text, from: line } = fence
  const { file, exit = '0', 'not run': reason } = said
  if (reason !== undefined) return { kind: 'not-run', line, commands: text, reason }
  if (file !== undefined) return { kind: 'file', line, name: file, text }
  if (language === 'sh') return { kind: 'run', line, commands: text, exit: Number(exit) }
  if (language === 'console') return { kind: 'session', line, turns: turnsOf(text), fence }
  return { kind: 'shown', line, language, text }
}

/** Parses a session: `$ command`, which continues after a final backslash, its output, and `[exit N]` unless it is 0. */
function turnsOf(text: string): readonly Turn[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map(turn => {
      const [command = ''] = /^(?:.*\\\n)*.*/.exec(turn) ?? []
      const rest = turn.slice(command.length + 1)
      const [ending = '', exit = '0'] = /^\[exit (\d+)\]\s*$/m.exec(rest) ?? []
      return { command, said: rest.slice(0, rest.length - ending.length).trimEnd(), exit: Number(exit) }
    })
}
