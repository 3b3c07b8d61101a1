import type { Fence } from './fences.js'
import { agrees, renewed } from './steady.js'
import { type Step, stepsOf, type Turn } from './steps.js'
import { openTerminal, type Terminal } from './terminal.js'

export interface Replay {
  /** The page with what its commands print now. */
  readonly page: string
  /** What did not go as the page says, with the line of the block. */
  readonly complaint: string | undefined
}

/** Somebody who has followed other pages before, and what they do otherwise than the test of a page alone. */
export interface Reader {
  readonly terminal: Terminal
  adapt(step: Step): Step
}

/** Does what a page tells its reader to do, and nothing else; without a reader, in a new folder. */
export async function replayed(markdown: string, reader?: Reader): Promise<Replay> {
  const terminal = reader?.terminal ?? (await openTerminal())
  const steps = stepsOf(markdown).map(step => reader?.adapt(step) ?? step)
  const { sessions, complaints } = await follow(steps, terminal)
  if (reader === undefined) await terminal.close()
  const lines = markdown.split('\n')
  for (const { fence, text } of sessions.toReversed()) {
    const { from, to, indent } = fence
    const written = text.split('\n').map(line => (line === '' ? '' : indent + line))
    lines.splice(from, to - from - 1, ...written)
  }
  return { page: lines.join('\n'), complaint: complaints[0] }
}

/** Goes on behind a session that printed something else, and stops where anything else goes wrong. */
async function follow(steps: readonly Step[], terminal: Terminal) {
  const sessions: { readonly fence: Fence; readonly text: string }[] = []
  const complaints: string[] = []
  for (const step of steps) {
    const said = step.kind === 'session' ? await session(step.turns, terminal) : undefined
    const wrong = said === undefined ? await wrongOf(step, terminal) : said.wrong
    if (wrong === undefined) continue
    complaints.push(`line ${step.line}: ${wrong}`)
    if (step.kind !== 'session' || said === undefined) break
    sessions.push({ fence: step.fence, text: said.text })
  }
  return { sessions, complaints }
}

async function wrongOf(step: Step, terminal: Terminal): Promise<string | undefined> {
  if (step.kind === 'file') terminal.write(step.name, step.text)
  if (step.kind !== 'run') return undefined
  const { exit, printed } = await terminal.run(step.commands)
  if (exit === step.exit) return undefined
  return `exit ${exit}, not ${step.exit}\n${step.commands}\n${printed}`
}

async function session(turns: readonly Turn[], terminal: Terminal) {
  const said: string[] = []
  let wrong: string | undefined
  for (const turn of turns) {
    const { exit, printed } = await terminal.run(turn.command)
    const right = exit === turn.exit && agrees(turn.said, printed)
    if (!right)
      wrong ??= `$ ${turn.command} ends with ${exit}, and prints\n${printed}\ninstead of\n${turn.said}`
    const text = right ? turn.said : renewed(turn.said, printed)
    said.push([`$ ${turn.command}`, ...(text === '' ? [] : [text]), `[exit ${exit}]`].join('\n'))
  }
  return { text: said.join('\n\n'), wrong }
}
