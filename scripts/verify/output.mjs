// Lets every command show texts that try to become something else, in manifests and from a site, in every format; renderings by
// somebody careless are the control. `npm run verify:output [-- --short]`; `--texts N`, `--from N`.
import { spawn } from 'node:child_process'
import { renderings } from '../../dist/test/proofs/output/hostile-run.js'
import { hostileSite } from '../../dist/test/proofs/output/hostile-site.js'
import { careless, elementsOf, outputComplaints } from '../../dist/test/proofs/output/oracles.js'
import { hostileMarkup } from '../../dist/test/support/hostile-markup.js'
import { landformProgram } from '../../dist/test/support/landform-program.js'
import { complain, conclude, count, figures, say, violation } from './check.mjs'

const long = 'x`<b>|\n::error::'.repeat(6000)
const all = [...hostileMarkup, long]
const { texts, from, piped, seed } = figures({
  texts: [12, all.length],
  from: [-1, 0],
  piped: [1, 12],
})
const first = from < 0 ? seed % all.length : from
const chosen = Array.from({ length: texts }, (_, at) => all[(first + at * 7) % all.length])
const site = await hostileSite()
const harmless = await harmlessElements()
const slots = new Set()

for (const text of chosen) {
  count('texts')
  look(text, await renderings(text, site))
}
for (const text of chosen.slice(0, piped)) {
  count('texts through pipes')
  look(text, await renderings(text, site, asProgram))
}
checkControl()
say(`${slots.size} renderings of each text`)
await site.close()
conclude()

/** What each format is made of when nothing is hostile. */
async function harmlessElements() {
  const found = new Map()
  const showing = new Set()
  for (const text of ['harmless', 'more', ''])
    for (const { slot, format, text: rendered } of await renderings(text, site)) {
      if (rendered.includes('harmless')) showing.add(slot)
      found.set(format, new Set([...(found.get(format) ?? []), ...elementsOf(format, rendered)]))
    }
  // Where a text is not shown, nothing is tried.
  count('renderings that show it', showing.size)
  return found
}

function look(text, made) {
  for (const { slot, format, text: rendered } of made) {
    slots.add(slot)
    count('renderings')
    complain(
      `${JSON.stringify(text.slice(0, 60))}, ${slot}`,
      outputComplaints(format, rendered, harmless.get(format) ?? new Set()),
    )
  }
}

/** A careless rendering of all texts is found out in each format. */
function checkControl() {
  for (const [format, render] of Object.entries(careless)) {
    const own = elementsOf(format, render('harmless'))
    if (!all.some(text => outputComplaints(format, render(text), own).length > 0))
      violation(`nobody saw that ${format} was careless`)
    else count('careless formats found')
  }
}

/** The program as users have it; this process goes on, for it is the site. */
function asProgram(words, environment) {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [landformProgram, ...words], {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
    })
    const [out, err] = [[], []]
    child.stdout.on('data', chunk => out.push(chunk))
    child.stderr.on('data', chunk => err.push(chunk))
    child.on('close', () =>
      resolve({ out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }),
    )
  })
}
