// Checks at length what the tests check in short: hostile documents, damaged examples and the YAML test suite.
// `npm run verify:yaml [-- --short]`; `--mutants N`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { harmDone } from '../../dist/test/support/harm-done.js'
import { hostileDocuments } from '../../dist/test/support/hostile-documents.js'
import { measuredRun } from '../../dist/test/support/measured-run.js'
import { bounded, isLinear, patterns, slowPatterns } from '../../dist/test/support/patterns.js'
import { textComplaints } from '../../dist/test/support/text-complaints.js'
import { textMutant } from '../../dist/test/support/text-mutants.js'
import { suiteCases, takenByTheLibrary, verdictOn } from '../../dist/test/support/yaml-suite.js'
import { complain, conclude, count, figures, say, violation } from './check.mjs'

const { mutants, length, isShort, seed } = figures({ mutants: [2000, 100_000], length: [30, 120] })
const formats = isShort ? ['json'] : ['text', 'json', 'sarif']
const mostMs = 1000
// A check of thousands of mistakes tells some of them.
const mostFindings = 500
// A busy machine may be slow once; a slow check is slow every time.
const tries = 3

checkDocuments()
checkSuite()
checkMutants()
checkPatterns()
checkControls()
conclude()

/** Each by itself, as text, JSON and SARIF. */
function checkDocuments() {
  const folder = mkdtempSync(join(tmpdir(), 'landform-verify-'))
  const file = join(folder, 'site.yaml')
  const runs = []
  for (const { name, content } of hostileDocuments) {
    writeFileSync(file, content)
    for (const format of formats) {
      const what = `${name}, as ${format}`
      const run = quickest(['validate', file, ...(format === 'text' ? [] : ['--format', format])])
      runs.push({ what, ...run })
      complain(what, [
        ...harmDone(run),
        ...(run.cpuMs <= mostMs ? [] : [`took ${Math.round(run.cpuMs)} ms`]),
        ...(format === 'text' || isJson(run.stdout) ? [] : ['is no JSON document']),
        ...(format === 'json' && findingsIn(run.stdout) > mostFindings ? ['told too much'] : []),
      ])
    }
  }
  rmSync(folder, { recursive: true })
  const slowest = runs.reduce((one, other) => (other.cpuMs > one.cpuMs ? other : one))
  const largest = runs.reduce((one, other) => (other.peakMegabytes > one.peakMegabytes ? other : one))
  count('documents', hostileDocuments.length)
  say(`${hostileDocuments.length} hostile documents as ${formats.join(', ')}, ${runs.length} runs`)
  say(`  slowest: ${Math.round(slowest.cpuMs)} ms, ${slowest.what}`)
  say(`  largest: ${Math.round(largest.peakMegabytes)} MB, ${largest.what}`)
}

function quickest(args) {
  let best = measuredRun(args)
  for (let more = 1; more < tries && best.cpuMs > mostMs; more += 1) {
    const run = measuredRun(args)
    if (run.cpuMs < best.cpuMs) best = run
  }
  return best
}

function findingsIn(text) {
  return isJson(text) ? JSON.parse(text).diagnostics.length : 0
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
    const { agrees, answer, complaints } = verdictOn(one)
    if (agrees) count('cases that the library reads as the suite')
    if (agrees === takenByTheLibrary.includes(one.name))
      violation(`case ${one.name}: the library and the suite are on other terms than said`)
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

/** How many steps they take, by counting: no pattern is slow for a text that a stranger wrote. */
function checkPatterns() {
  for (const pattern of patterns.filter(({ source }) => !bounded.has(source))) {
    count('patterns')
    if (!isLinear(pattern, length)) violation(`${pattern} is not linear`)
  }
}

/** What careless programs do is found: one that is slow, one that is large, one that throws, and slow patterns. */
function checkControls() {
  const careless = {
    slow: ['while (process.cpuUsage().user < 1_500_000);', ({ cpuMs }) => cpuMs > mostMs],
    large: ["Buffer.alloc(300 * 2 ** 20, 'x')", run => harmDone(run, 0).some(harm => harm.includes('MB'))],
    loud: ["throw new Error('\\u001b[31m')", run => harmDone(run).length >= 2],
  }
  const folder = mkdtempSync(join(tmpdir(), 'landform-verify-'))
  for (const [name, [program, isFound]] of Object.entries(careless)) {
    const file = join(folder, `${name}.cjs`)
    writeFileSync(file, program)
    if (isFound(measuredRun([], undefined, { program: file }))) count('careless programs found')
    else violation(`nobody saw that a ${name} program was careless`)
  }
  rmSync(folder, { recursive: true })
  const trusting = ({ bytes }) => {
    const { spec } = JSON.parse(Buffer.from(bytes).toString())
    return { diagnostics: spec.site.diagnostics }
  }
  if (fc.sample(textMutant, { numRuns: 50, seed }).every(text => textComplaints(text, trusting).length > 0))
    count('careless programs found')
  for (const [name, pattern] of slowPatterns) {
    if (isLinear(pattern, length)) violation(`${name} was not found`)
    else count('careless patterns found')
  }
}
