// Measures every line of the budget in one run and says which are met, as ratios: machines differ and drift, ratios less
// so. `npm run bench`; `-- QUICK` for a short run, `--json FILE` for all samples, `--check` to end with 1 where a must is
// missed, `--write` to keep the figures and their page in docs/, `--render` to make only the page anew.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { budget, verdictOn } from '../../dist/scripts/bench/budget.js'
import { lineOf, performancePage } from '../../dist/scripts/bench/performance-page.js'
import { machine } from '../machine.mjs'
import { measureCommands } from './commands.mjs'
import { measureFiles } from './files.mjs'
import { measureFleets } from './fleets.mjs'
import { peerVersions } from './peers.mjs'
import { measureSites } from './sites.mjs'
import { figures, notMeasured, root, said, skipped } from './surroundings.mjs'
import { measureUpload } from './upload.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    check: { type: 'boolean' },
    write: { type: 'boolean' },
    render: { type: 'boolean' },
  },
})
const isQuick = positionals.includes('QUICK')
const kept = join(root, 'docs', 'performance.json')
const page = join(root, 'docs', 'performance.md')

if (values.render) {
  writeFileSync(page, performancePage(JSON.parse(readFileSync(kept, 'utf8'))))
} else {
  // What earlier runs compiled, of other mistakes or more files, would count.
  rmSync(join(root, 'dist', 'compiled'), { recursive: true, force: true })
  const peers = peerVersions()
  said(`beside: ${peers.join(', ')}`)
  const how = { isQuick, runs: isQuick ? 5 : 11 }
  // A failed measurement costs only its own lines, and the exit code.
  for (const measure of [measureCommands, measureFiles, measureSites, measureFleets, measureUpload])
    try {
      await measure(how)
    } catch (error) {
      skipped(measure.name, error.message)
      process.exitCode = 1
    }
  const measured = { machine: { ...machine(), isQuick }, peers, figures, notMeasured }
  const text = `${JSON.stringify(measured, null, 1)}\n`
  if (values.json) writeFileSync(values.json, text)
  if (values.write) {
    writeFileSync(kept, text)
    writeFileSync(page, performancePage(measured))
  }
  for (const line of budget) process.stdout.write(`${lineOf(line, figures)}\n`)
  if (values.check && budget.some(line => verdictOn(line, figures) === 'MISSED')) process.exitCode = 1
}
