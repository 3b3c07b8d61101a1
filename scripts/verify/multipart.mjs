// Has parsers that are none of ours read what the client sends, and compares byte by byte: `npm run verify:multipart
// [-- --short]`; `--requests N`; `--only parsers` weighs no license. Ends with 1 on any difference, and in CI where fewer than
// ten parsers took part.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { alteredBodies } from '../../dist/test/proofs/multipart/altered.js'
import {
  configureBody,
  configureWithLicense,
  formBody,
  formOfWireTexts,
} from '../../dist/test/proofs/multipart/bodies.js'
import { debianParsers } from '../../dist/test/proofs/multipart/debian-parsers.js'
import { npmParsers } from '../../dist/test/proofs/multipart/npm-parsers.js'
import { bodyFiles, runParser } from '../../dist/test/proofs/multipart/run-parser.js'
import { emulatorProcess } from '../../dist/test/support/emulator-process.js'
import { measuredRun } from '../../dist/test/support/measured-run.js'
import { runsHere } from '../../dist/test/support/program.js'
import { someSecrets } from '../../dist/test/support/some-secrets.js'
import { complain, conclude, count, figures, say, scratchFolder, skip, violation } from './check.mjs'

const { requests, seed, only } = figures({ requests: [40, 1000], only: ['', ''] })
const fewestParsers = 10
const mostLicenseBytes = 64 * 1024 * 1024
const mostMegabytes = 150
// Two at a time: most wait for the other side of a socket.
const lanes = 2

const folder = scratchFolder()

const bodies = await bodyFiles(folder, [
  ...licenseSizes().map(configureWithLicense),
  ...fc.sample(configureBody, { numRuns: Math.ceil(requests * 0.75), seed }),
  ...fc.sample(formBody, { numRuns: Math.floor(requests * 0.25), seed }),
  formOfWireTexts,
  // Last, for a parser may end over them.
  ...alteredBodies,
])
const largest = Math.max(...licenseSizes()) / 1024 / 1024
say(`${bodies.length} request bodies, licenses up to ${largest} MiB`)
row('parser', 'multipart', 'forms', 'seconds', 'mismatches')

const waiting = [...npmParsers, ...debianParsers].values()
const scores = []
const absent = []
await Promise.all(Array.from({ length: lanes }, lane))

for (const { name, needs } of absent)
  skip(`${name}: install ${needs.packages}`, 'parsers', 'readings', 'altered bodies found')
for (const { name, mismatches } of scores) complain(name, mismatches)
const readings = scores.reduce((sum, { multipart, forms }) => sum + multipart + forms, 0)
const tooFew = scores.length < fewestParsers
const few = `${scores.length} parsers took part; ${fewestParsers} are wanted`
if (tooFew && process.env.CI) violation(`only ${few}`)
else if (tooFew) say(`WARNING    only ${few}`)
if (only !== 'parsers') await measureLargest()
count('readings', readings)
count('parsers', scores.length)
conclude()

/** Up to the largest license that is taken; in the short form the larger ones are left out. */
function licenseSizes() {
  const small = [0, 1, 1024 * 1024 - 1, 1024 * 1024]
  return requests < 500 ? small : [...small, 5 * 1024 * 1024 + 13, mostLicenseBytes]
}

async function lane() {
  for (const parser of waiting) {
    if (parser.needs !== undefined && !(await runsHere(parser.needs.probe))) {
      absent.push(parser)
      continue
    }
    const begin = performance.now()
    const score = await runParser(parser, folder, bodies).catch(error => ({
      multipart: 0,
      forms: 0,
      mismatches: [`it did not run: ${error.message}`],
    }))
    const found = score.mismatches.filter(isWanted).length
    const mismatches = score.mismatches.filter(one => !isWanted(one))
    // Each framing reads each body that is altered.
    const framings =
      score.multipart / bodies.filter(({ contentType }) => contentType.startsWith('multipart/')).length
    if (found !== alteredBodies.length * framings)
      mismatches.push(`of bodies that were altered it finds ${found}, not ${alteredBodies.length * framings}`)
    count('altered bodies found', found)
    scores.push({ name: parser.name, ...score, mismatches })
    const seconds = ((performance.now() - begin) / 1000).toFixed(1)
    row(parser.name, score.multipart, score.forms, seconds, mismatches.length)
  }
}

/** What is wrong with a body that was altered is what a parser is to find. */
function isWanted(mismatch) {
  return alteredBodies.some(({ description }) => mismatch.startsWith(description))
}

/** The memory of a whole apply with the largest license that is taken, as a user runs it. */
async function measureLargest() {
  const site = join(folder, 'largest')
  mkdirSync(join(site, 'licenses'), { recursive: true })
  cpSync('examples/quickstart.yaml', join(site, 'site.yaml'))
  writeFileSync(join(site, 'licenses/site.json'), Buffer.alloc(mostLicenseBytes, 'license'))
  const emulator = await emulatorProcess(['--stage-time', '1ms'])
  const words = ['apply', join(site, 'site.yaml'), '--url', emulator.urls[0], '--yes', '--accept-local-state']
  const { status, stderr, peakMegabytes } = measuredRun(words, '', { environment: someSecrets })
  emulator.kill()
  say(
    `an apply with a license of ${mostLicenseBytes / 1024 / 1024} MiB takes ${Math.round(peakMegabytes)} MB at most`,
  )
  count('largest licenses')
  if (status !== 0) violation(`an apply with the largest license ends with ${status}: ${stderr}`)
  if (peakMegabytes > mostMegabytes)
    violation(`it takes ${Math.round(peakMegabytes)} MB, and ${mostMegabytes} are allowed`)
}

function row(name, ...cells) {
  say(`${name.padEnd(28)}${cells.map(cell => String(cell).padStart(12)).join('')}`)
}
