import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.js'
import type { Source } from '../../src/manifest/source.js'
import { harmDone } from '../support/harm-done.js'
import { hostileDocuments } from '../support/hostile-documents.js'
import { type MeasuredRun, measuredRun } from '../support/measured-run.js'
import { bounded, isLinear, patterns, slowPatterns } from '../support/patterns.js'
import { listTextErrors } from '../support/text-errors.js'
import { textMutant } from '../support/text-mutants.js'
import { suiteCases, takenByTheLibrary, verdictOn } from '../support/yaml-suite.js'
import { type CheckRun, declareCheck } from './check.js'

const mostMs = 1000
// A check of thousands of mistakes tells some of them.
const mostFindings = 500
// A busy machine may be slow once; a slow check is slow every time.
const tries = 3

/** Checks at length what the tests check in short: hostile documents, damaged examples and the YAML test suite. */
export const check = declareCheck({
  name: 'yaml',
  shows: 'No document makes the check slow or large, or makes it end with anything but findings.',
  counts: {
    documents: [40, 40],
    mutants: [1000, 100_000],
    'cases of the suite': [402, 402],
    'cases that the library reads as the suite': [400, 400],
    patterns: [60, 60],
    'careless programs found': [4, 4],
    'careless patterns found': [6, 6],
  },
  planted: 'careless programs found',
  short: 'test',
  gate: 'change',
  figures: {
    mutants: [2000, 100_000],
    /** The length of the texts in which patterns are tried. */
    length: [60, 120],
  },
  async run(run) {
    const { mutants, length } = run.figures
    checkDocuments(run)
    checkSuite(run)
    checkMutants(run, mutants)
    checkPatterns(run, length)
    findCarelessPrograms(run)
    findSlowPatterns(run, length)
  },
})

type NamedRun = MeasuredRun & { readonly what: string }

/** Checks each document by itself, as JSON and, in the full form, as text and SARIF. */
function checkDocuments({ complain, count, isShort, say, scratchFolder }: CheckRun) {
  const formats = isShort ? ['json'] : ['text', 'json', 'sarif']
  const file = join(scratchFolder(), 'site.yaml')
  const runs: NamedRun[] = []
  for (const { name, content } of hostileDocuments) {
    writeFileSync(file, content)
    for (const format of formats) {
      const what = `${name}, as ${format}`
      const run = quickestRun(['validate', file, ...(format === 'text' ? [] : ['--format', format])])
      runs.push({ what, ...run })
      complain(what, listDocumentErrors(run, format))
    }
  }
  const slowest = runs.reduce((one, other) => (other.cpuMs > one.cpuMs ? other : one))
  const largest = runs.reduce((one, other) => (other.peakMegabytes > one.peakMegabytes ? other : one))
  count('documents', hostileDocuments.length)
  say(`${hostileDocuments.length} hostile documents as ${formats.join(', ')}, ${runs.length} runs`)
  say(`  slowest: ${Math.round(slowest.cpuMs)} ms, ${slowest.what}`)
  say(`  largest: ${Math.round(largest.peakMegabytes)} MB, ${largest.what}`)
}

function quickestRun(args: readonly string[]): MeasuredRun {
  let best = measuredRun(args)
  for (let more = 1; more < tries && best.cpuMs > mostMs; more += 1) {
    const run = measuredRun(args)
    if (run.cpuMs < best.cpuMs) best = run
  }
  return best
}

function listDocumentErrors(run: MeasuredRun, format: string): readonly string[] {
  return [
    ...harmDone(run),
    ...(run.cpuMs <= mostMs ? [] : [`took ${Math.round(run.cpuMs)} ms`]),
    ...(format === 'text' || isJson(run.stdout) ? [] : ['is no JSON document']),
    ...(format === 'json' && findingsIn(run.stdout) > mostFindings ? ['told too much'] : []),
  ]
}

function findingsIn(text: string): number {
  return isJson(text) ? JSON.parse(text).diagnostics.length : 0
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function checkSuite({ complain, count, say, violation }: CheckRun) {
  const answers = new Map<string, number>()
  for (const one of suiteCases) {
    const { agrees, answer, complaints } = verdictOn(one)
    if (agrees) count('cases that the library reads as the suite')
    if (agrees === takenByTheLibrary.includes(one.name))
      violation(`case ${one.name}: the library and the suite are on other terms than said`)
    answers.set(answer, (answers.get(answer) ?? 0) + 1)
    complain(`case ${one.name} of the suite`, [...complaints, ...listTextErrors(one.yaml)])
  }
  const counted = [...answers].map(([answer, times]) => `${times} ${answer}`).join(', ')
  count('cases of the suite', suiteCases.length)
  say(`${suiteCases.length} cases of the YAML test suite: ${counted}`)
}

/** Checks damaged examples, in portions, so that not all of them are in memory at once. */
function checkMutants({ complain, count, say, seed }: CheckRun, mutants: number) {
  // The parser makes errors by the hundred that nothing reads; their traces would take most of the time.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  const portion = 5000
  let slowest = { milliseconds: 0, text: '' }
  for (let done = 0; done < mutants; done += portion) {
    const numRuns = Math.min(portion, mutants - done)
    for (const text of fc.sample(textMutant, { numRuns, seed: seed + done })) {
      const begin = performance.now()
      const complaints = listTextErrors(text)
      const milliseconds = performance.now() - begin
      if (milliseconds > slowest.milliseconds) slowest = { milliseconds, text }
      if (complaints.length > 0) complain(JSON.stringify(text), complaints)
    }
  }
  Error.stackTraceLimit = stackTraceLimit
  count('mutants', mutants)
  say(`  slowest: ${Math.round(slowest.milliseconds)} ms, ${slowest.text.length} characters`)
}

/** Counts the steps that each pattern takes: none is slow for a text that a stranger wrote. */
function checkPatterns({ count, violation }: CheckRun, length: number) {
  for (const pattern of patterns.filter(({ source }) => !bounded.has(source))) {
    count('patterns')
    if (!isLinear(pattern, length)) violation(`${pattern} is not linear`)
  }
}

/** A program that does something wrong on purpose. */
interface CarelessProgram {
  readonly name: string
  readonly source: string
  isFound(run: MeasuredRun): boolean
}

const carelessPrograms: readonly CarelessProgram[] = [
  {
    name: 'slow',
    source: 'while (process.cpuUsage().user < 1_500_000);',
    isFound: ({ cpuMs }) => cpuMs > mostMs,
  },
  {
    name: 'large',
    source: "Buffer.alloc(300 * 2 ** 20, 'x')",
    isFound: run => harmDone(run, 0).some(harm => harm.includes('MB')),
  },
  {
    name: 'loud',
    source: "throw new Error('\\u001b[31m')",
    isFound: run => harmDone(run).length >= 2,
  },
]

/** Finds what careless programs do: one that is slow, one that is large, one that throws, and one that trusts any text. */
function findCarelessPrograms({ count, scratchFolder, seed, violation }: CheckRun) {
  const folder = scratchFolder()
  for (const { name, source, isFound } of carelessPrograms) {
    const file = join(folder, `${name}.cjs`)
    writeFileSync(file, source)
    if (isFound(measuredRun([], undefined, { program: file }))) count('careless programs found')
    else violation(`nobody saw that a ${name} program was careless`)
  }
  const texts = fc.sample(textMutant, { numRuns: 50, seed })
  if (texts.every(text => listTextErrors(text, loadTrustingly).length > 0)) count('careless programs found')
}

function loadTrustingly({ bytes }: Source): { readonly diagnostics: readonly Diagnostic[] } {
  const { spec } = JSON.parse(Buffer.from(bytes).toString())
  return { diagnostics: spec.site.diagnostics }
}

function findSlowPatterns({ count, violation }: CheckRun, length: number) {
  for (const [name, pattern] of slowPatterns) {
    if (isLinear(pattern, length)) violation(`${name} was not found`)
    else count('careless patterns found')
  }
}
