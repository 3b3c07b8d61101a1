import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Where commands are typed: a folder on a machine, and what its environment says. */
export interface Place {
  /** What the story calls it. */
  readonly name: string
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

/** A command that runs. Both of its outputs are one, as in a terminal and in the log of a job. */
interface Running {
  output(): string
  /** Resolves once the output has this in it, or the command has ended. */
  untilSaid(text: string): Promise<void>
  /** Stops all of its processes, lets them go on, or ends them as a machine that loses its power would. */
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void
  /** The exit code; `undefined` where it was killed. */
  readonly ended: Promise<number | undefined>
}

/** Types a command into the shell that GitHub runs the steps of a workflow with. */
function typed(command: string, { folder, environment }: Place): Running {
  const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', `exec 2>&1\n${command}`]
  const child = spawn('bash', words, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
    // A group of its own, so that what it started can be ended with it.
    detached: true,
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const ended = once(child, 'close').then(([code]) => (code as number | null) ?? undefined)
  return {
    output: () => output,
    async untilSaid(text) {
      let isOver = false
      void ended.then(() => {
        isOver = true
      })
      while (!output.includes(text) && !isOver) await Promise.race([once(child.stdout, 'data'), ended])
    },
    signal: name => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, name)
    },
    ended,
  }
}

/** What is told, piece by piece; texts are settled already. */
export type Told =
  | { readonly kind: 'title'; readonly text: string }
  | { readonly kind: 'prose'; readonly text: string }
  | {
      readonly kind: 'session'
      readonly where: string
      readonly command: string
      readonly output: string
      readonly ending: string
    }
  | { readonly kind: 'shown'; readonly language: string; readonly text: string }
  | { readonly kind: 'check'; readonly what: string; readonly holds: boolean }

interface Expected {
  /** The exit code; without one the command is to end well. */
  readonly exit?: number
  /** The lines of the output to show; without any, all of them. */
  readonly keep?: readonly RegExp[]
  /** What happens while it runs. */
  readonly meanwhile?: (running: Running) => Promise<void>
}

/** How a chapter is told. */
interface Teller {
  prose(text: string): void
  /** Types a command, shows it with what it says, and checks how it ends; gives the whole output as it was. */
  types(place: Place, command: string, expected?: Expected): Promise<string>
  shows(language: string, text: string): void
  /** What has to be so, or the story is not true. */
  holds(what: string, is: boolean): void
}

/** One part of the story. */
export interface Chapter<W> {
  readonly title: string
  play(world: W, teller: Teller): Promise<void>
}

/** Plays chapter after chapter, and gives what was told. One that is not as it should be does not end the story. */
export async function played<W>(chapters: readonly Chapter<W>[], world: W): Promise<readonly Told[]> {
  const told: Told[] = []
  const teller = tellerTo(piece => told.push(piece))
  for (const { title, play } of chapters) {
    told.push({ kind: 'title', text: title })
    await play(world, teller)
  }
  return told
}

/** Tells piece by piece. */
function tellerTo(told: (piece: Told) => void): Teller {
  return {
    prose: text => told({ kind: 'prose', text }),
    shows: (language, text) => told({ kind: 'shown', language, text: normalizeOutput(text).trimEnd() }),
    holds: (what, holds) => told({ kind: 'check', what, holds }),
    async types(place, command, { exit = 0, keep, meanwhile } = {}) {
      const running = typed(command, place)
      await meanwhile?.(running)
      const code = await running.ended
      const output = running.output().replaceAll(`${place.folder}/`, '')
      const ending = code === undefined ? 'killed' : `exit ${code}`
      // Whether one more line came out before the end is nobody's choice.
      const whole = code === undefined ? `${output.trimEnd()}\n…` : output
      const shown = normalizeOutput(shortened(whole, keep)).trimEnd()
      told({ kind: 'session', where: place.name, command: normalizeOutput(command), output: shown, ending })
      const due = exit === killed ? 'killed' : `exit ${exit}`
      told({ kind: 'check', what: due, holds: ending === due })
      return output
    },
  }
}

/** In place of the exit code of a command that does not come to its end. */
export const killed = -1

/** What differs from run to run, and what a reader sees in its place. */
const settling: readonly (readonly [RegExp, string])[] = [
  [/127\.0\.0\.1_\d+-[0-9a-f]+/g, '127.0.0.1_8080-…'],
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:8080'],
  [/sha256:[0-9a-f]{12,64}…?/g, 'sha256:…'],
  [/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/\b20\d\d-\d\d-\d\d\b/g, 'DATE'],
  [/\b[0-9a-f]{24}\b/g, 'NONCE'],
  [/\bprocess \d+\b/g, 'process 4711'],
  [/\[\+\d\d:\d\d\]/g, '[+00:00]'],
  [/\bafter \d+s\b/g, 'after 2s'],
]

/** A text without what is new in each run. */
function normalizeOutput(text: string): string {
  return settling.reduce((now, [from, to]) => now.replaceAll(from, to), text)
}

/** The lines that a reader needs; `…` stands where there are more. */
function shortened(text: string, keep: readonly RegExp[] | undefined): string {
  if (keep === undefined) return text
  const lines = text.trimEnd().split('\n')
  const kept = lines.map(line => (keep.some(one => one.test(line)) ? line : '…'))
  return kept.filter((line, at) => line !== '…' || kept[at - 1] !== '…').join('\n')
}

const preface = `\
<!-- Generated from test/system/pipeline/ by its test. Do not edit. -->

# A pipeline: from the first pull request to failures

This page records a simulated pipeline, with real git repositories, real processes and the emulator as the site: a manifest
with mistakes, a runner that dies, a stale plan, and a site that somebody changes by hand. Each command is shown with its
output and exit code. \`…\` replaces omitted lines and digests; \`TIME\` and \`NONCE\` replace what differs in each run.
`

/** The story as a page of the documentation. */
export function page(told: readonly Told[]): string {
  return `${preface}\n${told.map(part).filter(Boolean).join('\n')}`
}

function part(piece: Told): string {
  switch (piece.kind) {
    case 'title':
      return `## ${piece.text}\n`
    case 'prose':
      return `${piece.text}\n`
    case 'session': {
      const { where, command, output, ending } = piece
      const said = output === '' ? '' : `${output}\n`
      return `\`\`\`text\n${prompted(where, command)}\n${said}[${ending}]\n\`\`\`\n`
    }
    case 'shown':
      return `\`\`\`${piece.language}\n${piece.text}\n\`\`\`\n`
    case 'check':
      return ''
    default:
      return piece satisfies never
  }
}

/** Commands as they are typed: one that goes on in the next line is one. */
function prompted(where: string, command: string): string {
  return command.replaceAll(/(?<!\\\n)^/gm, `${where}$ `)
}
