// Plans and applies a manifest at an emulated site in this process, with a virtual clock, so that each run prints the same.
import { readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { startManifest } from '../../dist/src/cli/init/start-manifest.js'
import { createRehearsedSite } from '../../dist/src/cli/manifest-tests/rehearsed-site.js'
import { withPinnedLines } from '../../dist/src/cli/terminal/process-output.js'
import { createProgress, drain, observeSleeps } from '../../dist/src/cli/terminal/progress.js'
import { prompt } from '../../dist/src/cli/terminal/prompt.js'
import { defaultTimeoutMs } from '../../dist/src/library/follow-site.js'
import { loadSite } from '../../dist/src/library/load-site.js'
import { defaultLifetimeMs, readSituation } from '../../dist/src/library/make-plan.js'
import { performPlan } from '../../dist/src/library/perform-plan.js'
import { plan } from '../../dist/src/plan/planner.js'
import { formatPlan } from '../../dist/src/report/plan-text.js'
import { coloured } from '../../dist/src/report/terminal.js'

const { signal } = new AbortController()
/** A site takes about a minute for each stage; the seed makes the stages differ. */
const scenario = { stageMs: 70_000, seed: 3 }
const pollMs = 10_000

/** Plans a manifest at a site that is not configured yet. */
export async function rehearsePlan(file) {
  const source = { name: file, bytes: readFileSync(file) }
  const { manifest } = expectOk(await loadSite(source, { file, policies: undefined }))
  const rehearsed = createRehearsedSite([scenario], { policies: [] })
  const site = await rehearsed.siteOf(manifest)
  const options = { ignored: [], lifetimeMs: defaultLifetimeMs, signal }
  const planned = expectOk(plan(expectOk(await readSituation(site, rehearsed, options))))
  return { planned, site, clock: rehearsed.clock }
}

/** Applies a plan in a terminal of this size; returns the rows of its screen at the first event after `atMs`. */
export async function rehearseApply({ planned, site, clock }, { columns, rows, atMs }) {
  const screen = createScreen()
  const stderr = withPinnedLines({ write: screen.write, isTerminal: true, isBroken: false, columns, rows })
  const host = { environment: {}, stderr, clock, every: () => () => undefined }
  stderr.write(formatPlan(planned, coloured))
  const view = createProgress('live', { host }, { paint: coloured, quiet: false })
  const applyPorts = { clock: observeSleeps(clock, [view]), random: () => 0.5 }
  const options = { timeoutMs: defaultTimeoutMs, pollMs, detach: false, signal }
  let shown
  await drain(performPlan(planned, { site, applyPorts }, options), event => {
    view.show(event)
    if (clock.monotonicMs() >= atMs) shown ??= screen.read(rows)
  })
  view.end()
  return shown
}

/** Answers the interview of `init` up to a question, and returns the rows of the screen with that question. */
export async function rehearseInterview(typed, { columns, rows }) {
  const screen = createScreen()
  const stderr = {
    print: screen.write,
    write: screen.write,
    isTerminal: true,
    isBroken: false,
    columns,
    rows,
  }
  const answers = [...typed]
  let shown
  const host = {
    environment: {},
    stderr,
    stdout: stderr,
    isInteractive: true,
    async prompt(question) {
      const [input, output] = [new PassThrough(), new PassThrough()]
      let drawn = 0
      output.on('data', bytes => {
        drawn += 1
        screen.write(String(bytes))
      })
      /** Waits until the editor has drawn something for the input, and then nothing more. A busy machine may be slow. */
      const settle = async () => {
        const before = drawn
        for (let [last, tries] = [-1, 0]; drawn !== last || (drawn === before && tries < 5); tries += 1) {
          last = drawn
          await new Promise(resolve => setTimeout(resolve, 20))
        }
      }
      const answered = prompt(question, { input, output: Object.assign(output, { columns, rows }) })
      const keys = answers.shift()
      await settle()
      if (keys === undefined) shown = screen.read(rows)
      for (const key of keys ?? ['\x03']) {
        input.write(key)
        await settle()
      }
      return answered
    },
  }
  const choices = { file: '-', color: 'always', force: false, yes: false, quiet: false, 'no-input': false }
  await startManifest({}, { ...choices, schema: undefined }, host)
  return shown
}

function expectOk(reply) {
  if (reply.ok) return reply.value
  throw new Error(`the rehearsal failed: ${JSON.stringify(reply.error)}`)
}

/** A control sequence, or a control character by itself. */
const control = /(\p{Cc}(?:\[[?\d;]*[a-zA-Z])?)/u
const move = /^\p{Cc}\[(\d*)([ABDG])$/u

/** A minimal terminal for the live view and the interview: lines, moves, erased lines, and the colours in the lines. */
function createScreen() {
  const lines = ['']
  let row = 0
  return {
    write(text) {
      for (const piece of text.split(control)) {
        if (piece === '\n') {
          row += 1
          lines[row] ??= ''
          continue
        }
        const [, count, code] = move.exec(piece) ?? []
        if (code === 'A') row = Math.max(0, row - Number(count))
        else if (code === 'B') row += Number(count)
        else if (piece === '\x1b[2K') lines[row] = ''
        // Only whole lines are rewritten, so the column is always the first one.
        else if (piece === '\x1b[J') lines.splice(row, Number.POSITIVE_INFINITY, '')
        else if (code === undefined && piece !== '\r' && !piece.startsWith('\x1b[?')) lines[row] += piece
      }
    },
    /** Returns the last rows, without that of the cursor. */
    read: rows => lines.slice(-rows, -1),
  }
}
