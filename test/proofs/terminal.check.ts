import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type EmulatorProcess, emulatorProcess } from '../support/emulator-process.js'
import { landformProgram } from '../support/landform-program.js'
import { root } from '../support/manifests.js'
import { type CheckRun, declareCheck } from './check.js'
import { type Moment, type Showing, showings } from './terminal/moments.js'
import { hasTmux, type Terminals, terminalsIn } from './terminal/real-terminal.js'
import { listScreenErrors } from './terminal/screen-errors.js'

const maxMs = 15_000
const intro =
  'Written by `npm run verify -- terminal --transcripts`, from a real terminal and an emulator whose stages take\n700 ms each. Times differ from run to run.'

/**
 * Reads what a person sees: an apply in a real terminal (tmux) at 80 and at 40 columns, resized while it runs and
 * suspended and interrupted, and the same piped. With `--transcripts` it writes `test/transcripts/live-*.md` again, for somebody to read.
 */
export const check = declareCheck({
  name: 'terminal',
  shows: 'The output in a real terminal is correct at any width.',
  counts: { claims: [46, 46], 'broken screens found': [17, 17] },
  planted: 'broken screens found',
  short: 'release',
  gate: 'change',
  figures: { transcripts: [false, false] },
  async run(run) {
    if (!hasTmux())
      return run.skip('there is no tmux here, so no terminal was read', 'claims', 'broken screens found')
    const folder = run.scratchFolder()
    const terminals = terminalsIn(folder)
    const stage = { run, folder, terminals, keep: keeper(run.figures.transcripts) }
    try {
      for (const showing of showings) await showInTerminal(stage, showing)
      for (const [file, variables] of pipes) await showInPipe(stage, file, variables)
    } finally {
      terminals.closeAll()
    }
  },
})

interface Stage {
  readonly run: CheckRun
  readonly folder: string
  readonly terminals: Terminals
  /** Writes a transcript where that was asked for; a check alone leaves the files of the project as they are. */
  keep(file: string, text: string): void
}

function keeper(isWriting: boolean): Stage['keep'] {
  return (file, text) => {
    if (isWriting) writeFileSync(join(root, 'test', 'transcripts', file), text)
  }
}

function claim({ run }: Stage, what: string, holds: boolean): void {
  run.count('claims')
  if (holds) run.say(`ok         ${what}`)
  else run.violation(what)
}

/** Runs an apply in a terminal of its own and keeps the screens that are asked for. */
async function showInTerminal(stage: Stage, { file, size, faults = [], moments }: Showing): Promise<void> {
  const { terminals, folder } = stage
  const site = await startSite(faults)
  const name = file.replace('.md', '')
  try {
    const command = applyCommand(site, join(folder, name)).map(quoted).join(' ')
    const variables = Object.entries(environmentIn(folder)).map(([key, value]) => `${key}=${quoted(value)}`)
    // With jobs, as in the shell of a person: Ctrl-Z gives the terminal back to it.
    const goesOn = 'if [ $code = 148 ]; then echo "[stopped]"; read key; fg > /dev/null; code=$?; fi'
    writeFileSync(
      join(folder, `${name}.sh`),
      `cd ${quoted(root)} && exec env -i TERM=screen-256color ${variables.join(' ')} ${command}`,
    )
    const shell = `cd ${quoted(folder)}; set -m; sh ${name}.sh; code=$?; ${goesOn}; echo "[exit $code]"; sleep 60`
    terminals.open(name, size, shell)
    const shown: string[] = []
    let width = size.columns
    for (const moment of moments) {
      width = moment.columns ?? width
      const isLast = moment === moments.at(-1)
      const screen = await screenAt(terminals, { name, moment, width, isLast })
      const title = `${moment.when[0]?.toUpperCase()}${moment.when.slice(1)}`
      shown.push(`${title}:\n\n\`\`\`text\n${waitForScreen(screen, folder)}\n\`\`\`\n`)
      judgeScreen(stage, `${file}, ${moment.when}`, { screen, moment, width })
      if (isLast)
        claim(
          stage,
          `${file}: what stood above the table is still there`,
          screen.startsWith('applying quickstart'),
        )
    }
    terminals.close(name)
    const heading = `# ${size.columns} columns, ${size.rows} rows`
    stage.keep(file, `${heading}\n\n${intro}\n\n${shown.join('\n')}`)
  } finally {
    site.kill()
  }
}

interface Awaited {
  readonly name: string
  readonly moment: Moment
  readonly width: number
  readonly isLast: boolean
}

/** Reads the screen at a moment, after the plan: again and again, since nothing tells when the words come. */
async function screenAt(terminals: Terminals, { name, moment, width, isLast }: Awaited): Promise<string> {
  if (moment.columns !== undefined) terminals.resize(name, moment.columns)
  if (moment.key !== undefined) terminals.type(name, moment.key)
  const pattern = isLast ? /\[exit/ : moment.pattern
  const until = Date.now() + maxMs
  for (;;) {
    const all = terminals.read(name, { withHistory: isLast })
    const screen = all.slice(Math.max(0, all.indexOf('\napplying quickstart') + 1))
    // A second after a change of size everything is drawn again.
    if (pattern.test(screen) && listScreenErrors(screen, width).length === 0) return screen
    if (Date.now() > until) return screen
    await delay(20)
  }
}

interface Seen {
  readonly screen: string
  readonly moment: Moment
  readonly width: number
}

function judgeScreen(stage: Stage, what: string, { screen, moment, width }: Seen): void {
  const complaints = listScreenErrors(screen, width)
  claim(stage, `${what}: the words are there`, moment.pattern.test(screen))
  claim(stage, `${what}: ${complaints.join(', ') || 'everything is well drawn'}`, complaints.length === 0)
  const twice = `${screen}\n${screen}${'.'.repeat(width)}`
  if (listScreenErrors(twice, width).length > 1) stage.run.count('broken screens found')
}

const pipes: readonly (readonly [file: string, variables: Readonly<Record<string, string>>])[] = [
  ['live-piped.md', {}],
  ['live-github.md', { CI: 'true', GITHUB_ACTIONS: 'true' }],
  ['live-gitlab.md', { CI: 'true', GITLAB_CI: 'true' }],
]

/** Runs the same where nobody draws: to a pipe, as in CI. */
async function showInPipe(stage: Stage, file: string, variables: Readonly<Record<string, string>>) {
  const { folder } = stage
  const site = await startSite([])
  try {
    const [program, ...words] = applyCommand(site, join(folder, file))
    const child = spawn(program, words, {
      cwd: root,
      env: { ...environmentIn(folder), ...variables },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let text = ''
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    await once(child, 'close')
    const made = text.replaceAll('\x1b', '\\x1b').replaceAll('\r', '\\r')
    const shown = waitForScreen(made.trimEnd(), folder).replaceAll(/_(start|end):\d+:/g, '_$1:SECONDS:')
    claim(stage, `${file}: nothing is drawn over`, file === 'live-gitlab.md' || !made.includes('\\x1b'))
    const heading = `# Standard error in a pipe${'CI' in variables ? ', in CI' : ''}`
    stage.keep(file, `${heading}\n\n${intro}\n\n\`\`\`text\n${shown}\n\`\`\`\n`)
  } finally {
    site.kill()
  }
}

/** Sets the only variables that the program gets, so that no setting of this machine has a part in it. */
function environmentIn(folder: string): Readonly<Record<string, string>> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    LANG: 'C.UTF-8',
    LANDFORM_ADMIN_PASSWORD: 'Terminal1-not-a-secret',
    LANDFORM_SECURITY_ANSWER: 'Terminal1-not-a-secret',
    LANDFORM_TOKEN: 'Terminal1-not-a-secret',
  }
}

function applyCommand(
  { urls: [url = ''] }: EmulatorProcess,
  state: string,
): readonly [program: string, ...words: readonly string[]] {
  const site = ['examples/quickstart.yaml', '--url', url, '--state', `file:${state}`]
  const words = ['apply', ...site, '--yes', '--format', `json=${state}.json`]
  return [process.execPath, landformProgram, ...words]
}

function startSite(faults: readonly string[]): Promise<EmulatorProcess> {
  const times = ['--stage-time', '700ms', '--stage-time', 'Object store=2s']
  const words = ['--base-path', '/site/admin', ...times, ...faults.flatMap(fault => ['--fault', fault])]
  return emulatorProcess(words, 1, { cwd: root })
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** Takes out of a text what differs from run to run. */
function waitForScreen(text: string, folder: string): string {
  return text
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replaceAll(folder, 'FOLDER')
    .replaceAll(/[^\S\n]+$/gm, '')
}
