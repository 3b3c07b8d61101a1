// Shows what a person sees: an apply in a real terminal (tmux) at 80 and at 40 columns, resized while it runs and
// interrupted, and the same piped. `npm run verify:terminal -- --write` writes `test/transcripts/live-*.md` anew, to be read.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as passed } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { conclude, count, figures, say, skip, violation } from './check.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const landform = join(root, 'dist', 'bin', 'landform.cjs')
const folder = mkdtempSync(join(tmpdir(), 'landform-terminal-'))
// A server of its own: no session of the user is touched, nor is a setting of the user read.
const tmux = (...args) =>
  execFileSync('tmux', ['-S', join(folder, 'tmux'), '-f', '/dev/null', ...args], { encoding: 'utf8' })
const mostMs = 15_000
const { write } = figures({ write: [false, false] })
const intro =
  'Written by `npm run verify:terminal -- --write`, from a real terminal and an emulator whose stages take 700 ms\neach. Times differ from run to run.'

if (spawnSync('tmux', ['-V']).status !== 0) {
  skip('there is no tmux here, so no terminal was looked at', 'claims', 'controls found')
  conclude()
  process.exit()
}

const claim = (what, holds) => {
  count('claims')
  if (holds) say(`ok         ${what}`)
  else violation(what)
}

// What it must not take over: the settings of the machine that runs this.
const environment = {
  PATH: process.env.PATH,
  HOME: folder,
  LANG: 'C.UTF-8',
  LANDFORM_ADMIN_PASSWORD: 'Terminal1-not-a-secret',
  LANDFORM_SECURITY_ANSWER: 'Terminal1-not-a-secret',
  LANDFORM_TOKEN: 'Terminal1-not-a-secret',
}

try {
  await seen('live-80.md', { columns: 80, rows: 30 }, [
    ['in the middle of it', 'Object store +in progress'],
    ['at the end', 'is ready, and everything'],
  ])
  await seen('live-40.md', { columns: 40, rows: 30 }, [
    ['in the middle of it', '● Object store'],
    ['at the end', 'is ready, and'],
  ])
  await seen('live-short.md', { columns: 80, rows: 10 }, [
    ['where ten rows are all there are', 'Object store +in progress'],
    ['at the end', 'is ready, and everything'],
  ])
  await seen('live-resized.md', { columns: 100, rows: 40 }, [
    ['at 100 columns', 'Relational store +in progress'],
    ['at 45 columns', '● Object store', { columns: 45 }],
    ['at 90 columns', 'Usage statistics +in progress', { columns: 90 }],
    ['at the end', 'is ready, and everything'],
  ])
  await seen('live-trouble.md', { columns: 80, rows: 30, faults: ['root@Queue store+4s=status:503'] }, [
    ['while the site cannot be looked at', 'looking fails'],
    ['at the end', 'is ready, and everything'],
  ])
  await seen('live-interrupted.md', { columns: 80, rows: 30 }, [
    ['in the middle of it', 'Relational store +in progress'],
    ['after an interrupt', 'take up the wait', { keys: 'C-c' }],
  ])
  await piped()
} finally {
  spawnSync('tmux', ['-S', join(folder, 'tmux'), 'kill-server'])
  rmSync(folder, { recursive: true, force: true })
}
conclude()

/** Runs an apply in a terminal of its own and keeps the screens that are asked for. */
async function seen(file, { columns, rows, faults = [] }, moments) {
  const site = await emulator(faults)
  const name = file.replace('.md', '')
  const command = applied(site.url, join(folder, name)).map(quoted).join(' ')
  const variables = Object.entries(environment).map(([key, value]) => `${key}=${quoted(value)}`)
  const size = ['-x', String(columns), '-y', String(rows)]
  const shell = `env -i TERM=screen-256color ${variables.join(' ')} ${command}; echo "[exit $?]"; sleep 60`
  tmux('new-session', '-d', '-s', name, ...size, `clear; ${shell}`)
  const shown = []
  let width = columns
  for (const [what, pattern, { columns: wider, keys } = {}] of moments) {
    if (wider !== undefined) {
      width = wider
      tmux('resize-window', '-t', name, '-x', String(wider))
    }
    if (keys !== undefined) tmux('send-keys', '-t', name, keys)
    const isLast = moments.at(-1)?.[0] === what
    const screen = await screenWith(name, { pattern: isLast ? '\\[exit' : pattern, width, isLast })
    shown.push(`${what[0].toUpperCase()}${what.slice(1)}:\n\n\`\`\`text\n${settled(screen)}\n\`\`\`\n`)
    check(`${file}, ${what}`, screen, { pattern, width })
    if (isLast)
      claim(`${file}: what stood above the table is still there`, screen.startsWith('applying quickstart'))
  }
  tmux('kill-session', '-t', name)
  site.end()
  const title = `# ${columns} columns, ${rows} rows`
  keep(file, `${title}\n\n${intro}\n\n${shown.join('\n')}`)
}

/** For whoever reads them; a check alone leaves the files of the project as they are. */
function keep(file, text) {
  if (write) writeFileSync(join(root, 'test', 'transcripts', file), text)
}

/** A screen with the words, after the plan: asked for again and again, since nothing tells when they come. */
async function screenWith(name, { pattern, width, isLast }) {
  const until = Date.now() + mostMs
  for (;;) {
    const all = tmux('capture-pane', '-p', ...(isLast ? ['-S', '-200'] : []), '-t', name).trimEnd()
    const screen = all.slice(Math.max(0, all.indexOf('\napplying quickstart') + 1))
    // A second after a change of size all is drawn anew.
    if (new RegExp(pattern).test(screen) && complaints(screen, width).length === 0) return screen
    if (Date.now() > until) return screen
    await passed(20)
  }
}

function check(what, screen, { pattern, width }) {
  claim(`${what}: the words are there`, new RegExp(pattern).test(screen))
  claim(
    `${what}: ${complaints(screen, width).join(', ') || 'all is well drawn'}`,
    complaints(screen, width).length === 0,
  )
  const twice = `${screen}\n${screen}${'.'.repeat(width)}`
  if (complaints(twice, width).length > 1) count('broken screens found')
}

/** A table that was not drawn over shows a stage twice. */
function complaints(screen, width) {
  const lines = screen.split('\n')
  const among = pattern => lines.filter(line => pattern.test(line)).length
  return [
    ...(lines.every(line => line.length <= width) ? [] : ['a line is too wide']),
    ...(among(/^ {2}\S License validation/) > 1 ? ['two tables'] : []),
    ...(among(/^ {2}.*stages are through/) > 1 ? ['two sums'] : []),
  ]
}

/** The same where nobody draws: to a pipe, as in CI. */
async function piped() {
  for (const [file, more] of [
    ['live-piped.md', {}],
    ['live-github.md', { CI: 'true', GITHUB_ACTIONS: 'true' }],
    ['live-gitlab.md', { CI: 'true', GITLAB_CI: 'true' }],
  ]) {
    const site = await emulator([])
    const [program, ...args] = applied(site.url, join(folder, file))
    const child = spawn(program, args, {
      cwd: root,
      env: { ...environment, ...more },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let text = ''
    child.stderr.on('data', piece => {
      text += piece
    })
    await new Promise(resolve => child.on('close', resolve))
    site.end()
    const made = text.replaceAll('\x1b', '\\x1b').replaceAll('\r', '\\r')
    const shown = settled(made.trimEnd()).replaceAll(/_(start|end):\d+:/g, '_$1:SECONDS:')
    claim(`${file}: nothing is drawn over`, file === 'live-gitlab.md' || !made.includes('\\x1b'))
    keep(
      file,
      `# Standard error in a pipe${more.CI ? ', in CI' : ''}\n\n${intro}\n\n\`\`\`text\n${shown}\n\`\`\`\n`,
    )
  }
}

function applied(url, state) {
  const site = ['examples/quickstart.yaml', '--url', url, '--state', `file:${state}`]
  return [process.execPath, landform, 'apply', ...site, '--yes', '--format', `json=${state}.json`]
}

async function emulator(faults) {
  const times = [
    '--stage-time',
    '700ms',
    '--stage-time',
    'Object store=2s',
    ...faults.flatMap(fault => ['--fault', fault]),
  ]
  const child = spawn(process.execPath, [landform, 'emulate', '--base-path', '/site/admin', ...times], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  process.on('exit', () => child.kill())
  const lines = createInterface({ input: child.stdout })
  const url = await new Promise(resolve => lines.once('line', resolve))
  return { url, end: () => child.kill() }
}

function quoted(word) {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** What differs from run to run. */
function settled(text) {
  return text
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replaceAll(join(folder, ''), 'FOLDER')
    .replaceAll(/[^\S\n]+$/gm, '')
}
