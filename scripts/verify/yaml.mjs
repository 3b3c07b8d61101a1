// Checks at length what the tests check in short: hostile documents, damaged examples and the YAML test suite.
// `npm run verify:yaml [-- --short]`; `--mutants N`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { harmDone } from '../../dist/test/support/harm-done.js'
import { hostileDocuments } from '../../dist/test/support/hostile-documents.js'
import { measuredRun } from '../../dist/test/support/measured-run.js'
import { textComplaints } from '../../dist/test/support/text-complaints.js'
import { textMutant } from '../../dist/test/support/text-mutants.js'
import { suiteCases, verdictOn } from '../../dist/test/support/yaml-suite.js'
import { complain, conclude, count, figures, say } from './check.mjs'

const { mutants, seed } = figures({ mutants: [2000, 100_000] })
const mostMs = 1000
// A busy machine may be slow once; a slow check is slow every time.
const tries = 3

checkDocuments()
checkSuite()
checkMutants()
conclude()

/** Each by itself, as text, JSON and SARIF. */
function checkDocuments() {
  const folder = mkdtempSync(join(tmpdir(), 'landform-verify-'))
  const file = join(folder, 'site.yaml')
  const runs = []
  for (const { name, content } of hostileDocuments) {
    writeFileSync(file, content)
    for (const format of ['text', 'json', 'sarif']) {
      const what = `${name}, as ${format}`
      const run = quickest(['validate', file, ...(format === 'text' ? [] : ['--format', format])])
      runs.push({ what, ...run })
      complain(what, [
        ...harmDone(run),
        ...(run.elapsedMs <= mostMs ? [] : [`took ${Math.round(run.elapsedMs)} ms`]),
        ...(format === 'text' || isJson(run.stdout) ? [] : ['is no JSON document']),
      ])
    }
  }
  rmSync(folder, { recursive: true })
  const slowest = runs.reduce((one, other) => (other.elapsedMs > one.elapsedMs ? other : one))
  const largest = runs.reduce((one, other) => (other.peakMegabytes > one.peakMegabytes ? other : one))
  count('documents', hostileDocuments.length)
  say(`${hostileDocuments.length} hostile documents in 3 formats, ${runs.length} runs`)
  say(`  slowest: ${Math.round(slowest.elapsedMs)} ms, ${slowest.what}`)
  say(`  largest: ${Math.round(largest.peakMegabytes)} MB, ${largest.what}`)
}

function quickest(args) {
  let best = measuredRun(args)
  for (let more = 1; more < tries && best.elapsedMs > mostMs; more += 1) {
    const run = measuredRun(args)
    if (run.elapsedMs < best.elapsedMs) best = run
  }
  return best
}

function isJson(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function checkSuite() {
  const counts = new Map()
  for (const one of suiteCases) {
    const { answer, complaints } = verdictOn(one)
    counts.set(answer, (counts.get(answer) ?? 0) + 1)
    complain(`case ${one.name} of the suite`, [...complaints, ...textComplaints(one.yaml)])
  }
  const answers = [...counts].map(([answer, count]) => `${count} ${answer}`).join(', ')
  count('cases of the suite', suiteCases.length)
  say(`${suiteCases.length} cases of the YAML test suite: ${answers}`)
}

/** In portions, so that not all mutants are in memory at once. */
function checkMutants() {
  // The parser makes errors by the hundred that nothing reads; their traces would take most of the time.
  Error.stackTraceLimit = 0
  const portion = 5000
  const slowest = { milliseconds: 0, text: '' }
  for (let done = 0; done < mutants; done += portion) {
    const numRuns = Math.min(portion, mutants - done)
    for (const text of fc.sample(textMutant, { numRuns, seed: seed + done })) {
      const begin = performance.now()
      const complaints = textComplaints(text)
      const milliseconds = performance.now() - begin
      if (milliseconds > slowest.milliseconds) Object.assign(slowest, { milliseconds, text })
      if (complaints.length > 0) complain(JSON.stringify(text), complaints)
    }
  }
  count('mutants', mutants)
  say(`  slowest: ${Math.round(slowest.milliseconds)} ms, ${slowest.text.length} characters`)
}
