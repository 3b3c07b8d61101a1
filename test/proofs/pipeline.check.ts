import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { runsHere } from '../support/program.js'
import { type CheckRun, declareCheck } from './check.js'
import { byWorkflow } from './pipeline/by-workflow.js'
import { prompted } from './pipeline/page.js'
import { rehearsed } from './pipeline/pipeline.js'
import { type Told, tellerTo } from './pipeline/story.js'

/**
 * Plays the story of docs/tutorial-pipeline.md, with real git repositories, processes and sockets; then runs the jobs of the
 * workflow that `landform init --ci github` writes, with a stand-in for gh. The full form prints the story as it goes, and
 * the short form only what is not so. The page itself is written by its test.
 */
export const check = declareCheck({
  name: 'pipeline',
  shows: 'The documented pipeline, with real repositories, processes and sockets, runs as documented.',
  counts: { claims: [40, 40], 'claims of the workflow': [16, 16], 'controls found': [2, 2] },
  planted: 'controls found',
  short: 'test',
  gate: 'change',
  figures: {},
  async run(run) {
    const folder = run.scratchFolder()
    for (const name of ['story', 'workflow']) mkdirSync(join(folder, name))
    const tell = listener(run, 'claims')
    await rehearsed(join(folder, 'story'), tell)
    tell({ kind: 'title', text: 'The same by the jobs of the workflow that init wrote' })
    if (await runsHere(['jq', '--version']))
      await byWorkflow(join(folder, 'workflow'), tellerTo(listener(run, 'claims of the workflow')))
    else run.skip('the stand-in for gh needs jq', 'claims of the workflow')
    await control(run, folder)
  },
})

/** Plants a command that does not end as it is told, and something that is not so. */
async function control(run: CheckRun, folder: string): Promise<void> {
  let lies = 0
  const teller = tellerTo(piece => {
    if (piece.kind === 'check' && !piece.holds) lies += 1
  })
  const { PATH = '' } = process.env
  await teller.types({ name: 'control', folder, environment: { PATH } }, 'exit 3')
  teller.holds('what is not so', false)
  run.count('controls found', lies)
}

/** Makes a listener that counts the claims of a story and prints its pieces. */
function listener(run: CheckRun, counter: string): (piece: Told) => void {
  return piece => {
    if (piece.kind === 'check') {
      run.count(counter)
      if (!piece.holds) run.violation(piece.what)
    }
    if (!run.isShort) run.say(formatPiece(piece))
  }
}

function formatPiece(piece: Told): string {
  switch (piece.kind) {
    case 'title':
      return `\n=== ${piece.text}`
    case 'prose':
      return `\n${piece.text}`
    case 'session':
      return `\n${prompted(piece.where, piece.command)}\n${indented(piece.output)}  [${piece.ending}]`
    case 'shown':
      return `\n${indented(piece.text).trimEnd()}`
    case 'check':
      return `  ${piece.holds ? 'ok' : 'NOT SO'}: ${piece.what}`
    default:
      return piece satisfies never
  }
}

function indented(text: string): string {
  return text === '' ? '' : `${text.replaceAll(/^/gm, '  ')}\n`
}
