// Plays the story of docs/tutorial-pipeline.md, with real git repositories, processes and sockets, and tells it as it goes;
// then runs the jobs of the workflow that `landform init --ci github` writes, with a stand-in for gh.
// The short form only says what is not so.
// The page itself is written by its test.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { byWorkflow } from '../../dist/test/proofs/pipeline/by-workflow.js'
import { prompted } from '../../dist/test/proofs/pipeline/page.js'
import { rehearsed } from '../../dist/test/proofs/pipeline/pipeline.js'
import { tellerTo } from '../../dist/test/proofs/pipeline/story.js'
import { runsHere } from '../../dist/test/support/program.js'
import { removeTemporaryFolders } from '../../dist/test/support/temporary-folder.js'
import { conclude, count, figures, scratchFolder, skip, violation } from './check.mjs'

const folder = scratchFolder()
for (const name of ['story', 'workflow']) mkdirSync(join(folder, name))
const { isShort } = figures({})

try {
  await rehearsed(join(folder, 'story'), tell)
  tell({ kind: 'title', text: 'The same by the jobs of the workflow that init wrote' })
  if (await runsHere(['jq', '--version']))
    await byWorkflow(join(folder, 'workflow'), tellerTo(tellOfWorkflow))
  else skip('the stand-in for gh needs jq', 'claims of the workflow')
  await control()
} finally {
  await removeTemporaryFolders()
}
conclude()

/** A command that does not end as it is told, and something that is not so. */
async function control() {
  const lies = []
  const teller = tellerTo(piece => {
    if (piece.kind === 'check' && !piece.holds) lies.push(piece.what)
  })
  await teller.types({ name: 'control', folder, environment: process.env }, 'exit 3')
  teller.holds('what is not so', false)
  count('controls found', lies.length)
}

function tellOfWorkflow(piece) {
  tell(piece, 'claims of the workflow')
}

function tell(piece, counter = 'claims') {
  if (piece.kind === 'check') {
    count(counter)
    if (!piece.holds) violation(piece.what)
  }
  if (!isShort) process.stdout.write(words(piece))
}

function words(piece) {
  switch (piece.kind) {
    case 'title':
      return `\n=== ${piece.text}\n`
    case 'prose':
      return `\n${piece.text}\n`
    case 'session':
      return `\n${prompted(piece.where, piece.command)}\n${indented(piece.output)}  [${piece.ending}]\n`
    case 'shown':
      return `\n${indented(piece.text)}`
    default:
      return `  ${piece.holds ? 'ok' : 'NOT SO'}: ${piece.what}\n`
  }
}

function indented(text) {
  return text === '' ? '' : `${text.replaceAll(/^/gm, '  ')}\n`
}
