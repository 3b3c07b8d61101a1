import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { emulatorProcess } from '../support/emulator-process.js'
import { root } from '../support/manifests.js'
import { measuredRun } from '../support/measured-run.js'
import { runsHere } from '../support/program.js'
import { someSecrets } from '../support/some-secrets.js'
import { type CheckRun, declareCheck } from './check.js'
import { alteredBodies } from './multipart/altered.js'
import { configureBody, configureWithLicense, formBody, formOfWireTexts } from './multipart/bodies.js'
import { debianParsers } from './multipart/debian-parsers.js'
import { npmParsers } from './multipart/npm-parsers.js'
import type { BodyFile, Parser } from './multipart/reader.js'
import { bodyFiles, runParser, type Score } from './multipart/run-parser.js'

const fewestParsers = 10
const mebibyte = 1024 * 1024
const mostLicenseBytes = 64 * mebibyte
const mostMegabytes = 150
// Two at a time: most wait for the other side of a socket.
const lanes = 2

/**
 * Has parsers that are none of ours read what the client sends, and compares byte by byte. In CI it fails where fewer than ten
 * parsers took part.
 */
export const check = declareCheck({
  name: 'multipart',
  shows: 'Independent parsers read every byte of a request as intended.',
  counts: {
    parsers: [6, 10],
    readings: [200, 1200],
    'altered bodies found': [12, 20],
    'largest licenses': [1, 1],
  },
  planted: 'altered bodies found',
  short: 'release',
  gate: 'change',
  figures: {
    requests: [40, 1000],
    /** `parsers` measures no apply with the largest license. */
    only: ['', ''],
  },
  async run(run) {
    const { requests, only } = run.figures
    const folder = run.scratchFolder()
    const sizes = licenseSizes(requests)
    const bodies = await makeBodies(run, folder, requests, sizes)
    run.say(`${bodies.length} request bodies, licenses up to ${Math.max(...sizes) / mebibyte} MiB`)
    run.say(row('parser', 'multipart', 'forms', 'seconds', 'mismatches'))
    const waiting = [...npmParsers, ...debianParsers].values()
    const scores: NamedScore[] = []
    const absent: Parser[] = []
    const lane = async () => {
      for (const parser of waiting)
        if (parser.needs !== undefined && !(await runsHere(parser.needs.probe))) absent.push(parser)
        else scores.push(await askParser(run, parser, folder, bodies))
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    for (const { name, needs } of absent)
      run.skip(`${name}: install ${needs?.packages}`, 'parsers', 'readings', 'altered bodies found')
    for (const { name, mismatches } of scores) run.complain(name, mismatches)
    reportFewReadings(run, scores.length)
    if (only !== 'parsers') await measureLargest(run, folder)
    run.count(
      'readings',
      scores.reduce((sum, { multipart, forms }) => sum + multipart + forms, 0),
    )
    run.count('parsers', scores.length)
  },
})

type NamedScore = Score & { readonly name: string }

/** Goes up to the largest license that is taken; in the short form the larger ones are left out. */
function licenseSizes(requests: number): readonly number[] {
  const small = [0, 1, mebibyte - 1, mebibyte]
  return requests < 500 ? small : [...small, 5 * mebibyte + 13, mostLicenseBytes]
}

function makeBodies({ seed }: CheckRun, folder: string, requests: number, sizes: readonly number[]) {
  return bodyFiles(folder, [
    ...sizes.map(configureWithLicense),
    ...fc.sample(configureBody, { numRuns: Math.ceil(requests * 0.75), seed }),
    ...fc.sample(formBody, { numRuns: Math.floor(requests * 0.25), seed }),
    formOfWireTexts,
    // Last, for a parser may end over them.
    ...alteredBodies,
  ])
}

/** Has one parser read all bodies. Its mismatches are those with bodies that are as they should be. */
async function askParser(
  { count, say }: CheckRun,
  parser: Parser,
  folder: string,
  bodies: readonly BodyFile[],
): Promise<NamedScore> {
  const begin = performance.now()
  const score = await runParser(parser, folder, bodies).catch((error: Error) => ({
    multipart: 0,
    forms: 0,
    mismatches: [`it did not run: ${error.message}`],
  }))
  const found = score.mismatches.filter(isWanted).length
  // Each framing reads each body that is altered.
  const framings =
    score.multipart / bodies.filter(({ contentType }) => contentType.startsWith('multipart/')).length
  const expected = alteredBodies.length * framings
  const mismatches = [
    ...score.mismatches.filter(one => !isWanted(one)),
    ...(found === expected ? [] : [`of bodies that were altered it finds ${found}, not ${expected}`]),
  ]
  count('altered bodies found', found)
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  say(row(parser.name, score.multipart, score.forms, seconds, mismatches.length))
  return { ...score, name: parser.name, mismatches }
}

/** True for a mismatch with a body that was altered, which a parser is to find. */
function isWanted(mismatch: string): boolean {
  return alteredBodies.some(({ description }) => mismatch.startsWith(description))
}

function reportFewReadings({ say, violation }: CheckRun, parsers: number) {
  if (parsers >= fewestParsers) return
  const few = `${parsers} parsers took part; ${fewestParsers} are wanted`
  if (process.env['CI']) violation(`only ${few}`)
  else say(`WARNING    only ${few}`)
}

/** Measures the memory of a whole apply with the largest license that is taken, as a user runs it. */
async function measureLargest({ count, say, violation }: CheckRun, folder: string) {
  const site = join(folder, 'largest')
  const manifest = join(site, 'site.yaml')
  mkdirSync(join(site, 'licenses'), { recursive: true })
  cpSync(join(root, 'examples', 'quickstart.yaml'), manifest)
  writeFileSync(join(site, 'licenses/site.json'), Buffer.alloc(mostLicenseBytes, 'license'))
  const emulator = await emulatorProcess(['--stage-time', '1ms'])
  const [url = ''] = emulator.urls
  const words = ['apply', manifest, '--url', url, '--yes', '--accept-local-state']
  const { status, stderr, peakMegabytes } = measuredRun(words, '', { environment: someSecrets })
  emulator.kill()
  const megabytes = Math.round(peakMegabytes)
  say(`an apply with a license of ${mostLicenseBytes / mebibyte} MiB takes ${megabytes} MB at most`)
  count('largest licenses')
  if (status !== 0) violation(`an apply with the largest license ends with ${status}: ${stderr}`)
  if (peakMegabytes > mostMegabytes) violation(`it takes ${megabytes} MB, and ${mostMegabytes} are allowed`)
}

function row(name: string, ...cells: readonly (string | number)[]): string {
  return `${name.padEnd(28)}${cells.map(cell => String(cell).padStart(12)).join('')}`
}
