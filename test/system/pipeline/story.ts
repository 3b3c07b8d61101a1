import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A folder on a machine in which commands are typed, with its environment. */
export interface Place {
  /** The name of the machine in the story. */
  readonly name: string
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

/** A running command. Its stdout and stderr are combined, as in a terminal or in the log of a job. */
interface Running {
  output(): string
  /** Resolves once the output contains the text, or the command has ended. */
  untilSaid(text: string): Promise<void>
  /** Suspends, continues or kills all of its processes. Killing stands for a power failure. */
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void
  /** The exit code, or `undefined` if it was killed. */
  readonly ended: Promise<number | undefined>
}

/** Runs a command in the shell that GitHub uses for the steps of a workflow. */
function typed(command: string, { folder, environment }: Place): Running {
  const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', `exec 2>&1\n${command}`]
  const child = spawn('bash', words, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
    // A process group of its own, so signals also reach its children.
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

/** A part of the story. Its texts are already normalized. */
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
  /** The expected exit code. Default: 0. */
  readonly exit?: number
  /** The lines of the output to show. Default: all. */
  readonly keep?: readonly RegExp[]
  /** Actions while the command runs. */
  readonly meanwhile?: (running: Running) => Promise<void>
}

/** Functions with which a chapter adds to the story. */
interface Teller {
  prose(text: string): void
  /** Runs a command, adds it with its output, and checks its exit code. Returns the complete output, not normalized. */
  types(place: Place, command: string, expected?: Expected): Promise<string>
  shows(language: string, text: string): void
  /** Adds a condition that must hold for the story to be true. */
  holds(what: string, is: boolean): void
}

export interface Chapter<W> {
  readonly title: string
  play(world: W, teller: Teller): Promise<void>
}

/** Plays the chapters in order. Returns the parts of the story. A failed check does not stop it. */
export async function played<W>(chapters: readonly Chapter<W>[], world: W): Promise<readonly Told[]> {
  const told: Told[] = []
  const teller = tellerTo(piece => told.push(piece))
  for (const { title, play } of chapters) {
    told.push({ kind: 'title', text: title })
    await play(world, teller)
  }
  return told
}

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
      // One more line may or may not have been printed before the kill.
      const whole = code === undefined ? `${output.trimEnd()}\n…` : output
      const shown = normalizeOutput(shortened(whole, keep)).trimEnd()
      told({ kind: 'session', where: place.name, command: normalizeOutput(command), output: shown, ending })
      const due = exit === killed ? 'killed' : `exit ${exit}`
      told({ kind: 'check', what: due, holds: ending === due })
      return output
    },
  }
}

/** The expected "exit code" of a command that is killed. */
export const killed = -1

/** Values that differ from run to run, with their replacements on the page. */
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

/** Replaces values that differ from run to run. */
function normalizeOutput(text: string): string {
  return settling.reduce((now, [from, to]) => now.replaceAll(from, to), text)
}

/** Keeps the matching lines, with `…` for the others. */
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

/** Formats the story as a page of the documentation. */
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

/** Formats a command as typed. Lines after a backslash continue it. */
function prompted(where: string, command: string): string {
  return command.replaceAll(/(?<!\\\n)^/gm, `${where}$ `)
}
