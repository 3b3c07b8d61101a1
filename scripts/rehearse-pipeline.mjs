// Plays the story of docs/tutorial-pipeline.md, with real git repositories, processes and sockets, and tells it as it goes.
// `npm run rehearse` ends with 1 when anything is not as it should be; the page itself is written by its test.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prompted } from '../dist/test/pipeline/page.js'
import { rehearsed } from '../dist/test/pipeline/pipeline.js'

const folder = mkdtempSync(join(realpathSync(tmpdir()), 'landform-rehearsal-'))
const checks = { held: 0, failed: 0 }
process.exitCode = 1

try {
  await rehearsed(folder, tell)
  process.exitCode = checks.failed === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(`\n${checks.held} checks held, ${checks.failed} failed\n`)

function tell(piece) {
  process.stdout.write(words(piece))
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
      checks[piece.holds ? 'held' : 'failed'] += 1
      return `  ${piece.holds ? 'ok' : 'NOT SO'}: ${piece.what}\n`
  }
}

function indented(text) {
  return text === '' ? '' : `${text.replaceAll(/^/gm, '  ')}\n`
}
