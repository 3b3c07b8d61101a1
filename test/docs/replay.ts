import { agrees } from './steady.js'
import { type Step, stepsOf, type Turn } from './steps.js'
import { openTerminal, type Terminal } from './terminal.js'

export interface Replay {
  /** The page with what its commands print now. */
  readonly page: string
  /** What did not go as the page says, with the line of the block. */
  readonly complaint: string | undefined
}

/** Does in one new folder what a page tells its reader to do, and stops where it does not go as written. */
export async function replayed(markdown: string): Promise<Replay> {
  const terminal = await openTerminal()
  const lines = markdown.split('\n')
  const changes: { readonly step: Step & { readonly kind: 'session' }; readonly text: string }[] = []
  const complaints: string[] = []
  try {
    for (const step of stepsOf(markdown)) {
      if (step.kind === 'session') {
        const { text, wrong } = await session(step.turns, terminal)
        if (wrong === undefined) continue
        changes.push({ step, text })
        complaints.push(`line ${step.line}: ${wrong}`)
      } else {
        const wrong = await wrongOf(step, terminal)
        if (wrong === undefined) continue
        complaints.push(`line ${step.line}: ${wrong}`)
        break
      }
    }
  } finally {
    terminal.close()
  }
  for (const { step, text } of changes.toReversed()) {
    const { from, to, indent } = step.fence
    const anew = text.split('\n').map(line => (line === '' ? '' : indent + line))
    lines.splice(from, to - from - 1, ...anew)
  }
  return { page: lines.join('\n'), complaint: complaints[0] }
}

async function wrongOf(step: Step, terminal: Terminal): Promise<string | undefined> {
  if (step.kind === 'file') terminal.write(step.name, step.text)
  if (step.kind !== 'run' && step.kind !== 'prepare') return undefined
  const wanted = step.kind === 'run' ? step.exit : 0
  const { exit, printed } = await terminal.run(step.commands)
  if (exit === wanted) return undefined
  return `exit ${exit}, not ${wanted}\n${step.commands}\n${printed}`
}

async function session(turns: readonly Turn[], terminal: Terminal) {
  const said: string[] = []
  let wrong: string | undefined
  for (const turn of turns) {
    const { exit, printed } = await terminal.run(turn.command)
    const right = exit === turn.exit && agrees(turn.said, printed)
    if (!right)
      wrong ??= `$ ${turn.command} ends with ${exit}, and prints\n${printed}\ninstead of\n${turn.said}`
    const text = right ? turn.said : printed.trimEnd()
    said.push([`$ ${turn.command}`, ...(text === '' ? [] : [text]), `[exit ${exit}]`].join('\n'))
  }
  return { text: said.join('\n\n'), wrong }
}
