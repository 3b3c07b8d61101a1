import { joinLines } from '../../support/join-lines.js'
import type { Fence } from './fences.js'
import { type Step, stepsOf, type Turn } from './steps.js'
import { openTerminal, type Terminal } from './terminal.js'

/** Values that differ from run to run. Pages keep those of the time of writing. */
const fickle: readonly (readonly [RegExp, string])[] = [
  [/127\.0\.0\.1([:_])\d+/g, '127.0.0.1$1PORT'],
  [/PORT\/[0-9a-f]{8,}\b/g, 'PORT/BASE'],
  [/sha256:[0-9a-f]{6,}/g, 'sha256:DIGEST'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UUID'],
  [/\b\d{8}-[0-9a-f]{6}\b/g, 'ROLLOUT'],
  [/\b[0-9a-f]{7,64}\b/g, 'HEX'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?: ?UTC|Z)?)?/g, 'TIME'],
  [/\[\+\d\d:\d\d(?::\d\d)?\]/g, '[+TIME]'],
  [/\b(?:\d+ ?(?:ms|min|h|m|s) ?)+(?=\W|$)/g, 'SPAN '],
  [/\bprocess \d+ on [\w.-]+/g, 'process N on HOST'],
  [/[ \t]+$/gm, ''],
]

/** Tests whether a run printed what the page shows. A line `…` of the page stands for any lines. */
export function agrees(shown: string, printed: string): boolean {
  const wanted = steady(shown).split(/^ *…$/m)
  const pattern = wanted
    .map(piece => joinLines(piece).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('[\\s\\S]*')
  return new RegExp(`^${pattern.replaceAll('\n[\\s\\S]*', '\\n?[\\s\\S]*')}$`).test(
    joinLines(steady(printed)),
  )
}

function steady(text: string): string {
  return fickle.reduce((so, [what, word]) => so.replaceAll(what, word), text.trimEnd())
}

/**
 * Returns the new output for a page, with the same lines omitted as before. A changed line is found by its beginning. If a line
 * is wrapped now, its continuation is kept.
 */
export function renewed(shown: string, printed: string): string {
  const loose = (line: string) => steady(line).replaceAll(/\d+/g, 'N')
  const lines = printed.trimEnd().split('\n')
  const text: string[] = []
  let next = 0
  let isGap = false
  const goOnTo = (end: number) => {
    if (isGap && end > next) text.push('…')
    else text.push(...lines.slice(next, end))
    isGap = false
    next = end
  }
  for (const line of shown.split('\n')) {
    const find = (isSame: (now: string) => boolean) =>
      lines.findIndex((now, index) => index >= next && isSame(loose(now)))
    const exact = find(now => now === loose(line))
    const start = loose(line).slice(0, startLength)
    const at = exact < 0 && start.length === startLength ? find(now => now.startsWith(start)) : exact
    if (line.trim() === '…') isGap = true
    else if (at >= 0) {
      goOnTo(at)
      text.push(lines[at] ?? '')
      next = at + 1
    }
  }
  goOnTo(lines.length)
  return text.join('\n')
}

const startLength = 16

interface Replay {
  /** The page with the current output of its commands. */
  readonly page: string
  /** The first difference from the page, with the line of its block. */
  readonly complaint: string | undefined
}

/** A reader who has followed other pages before, with changes to the steps. */
export interface Reader {
  readonly terminal: Terminal
  adapt(step: Step): Step
}

/** Follows a page exactly. By default in a new home, and twice. */
export async function replayed(markdown: string, reader?: Reader): Promise<Replay> {
  const terminal = reader?.terminal ?? (await openTerminal())
  const steps = stepsOf(markdown).map(step => reader?.adapt(step) ?? step)
  const { sessions, complaints } = await follow(steps, terminal)
  const left = terminal.leftovers()
  if (left.length > 0) complaints.push(`its end: left in the home of the reader: ${left.join(', ')}`)
  if (reader === undefined) {
    // The next day's reader, in the same home, must find no leftovers in the way.
    if (complaints.length === 0 && process.env['UPDATE_GOLDEN'] !== '1') {
      terminal.begin()
      const again = await follow(steps, terminal)
      complaints.push(...again.complaints.map(complaint => `again, ${complaint}`))
    }
    await terminal.close()
  }
  const lines = markdown.split('\n')
  for (const { fence, text } of sessions.toReversed()) {
    const { from, to, indent } = fence
    const written = text.split('\n').map(line => (line === '' ? '' : indent + line))
    lines.splice(from, to - from - 1, ...written)
  }
  return { page: lines.join('\n'), complaint: complaints[0] }
}

/** Continues after a session with different output, and stops at any other failure. */
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
