// Lets commands meet paths that try to lead out of the folder of a manifest, under strace where it may be used; readers that
// follow every path are the control. `npm run verify:files [-- --short]`; `--only TEXT` takes the attacks with it in their names.
import { attacks } from '../../dist/test/proofs/files/attacks.js'
import { places } from '../../dist/test/proofs/files/places.js'
import { raced } from '../../dist/test/proofs/files/race.js'
import { canTrace, carelessReader, complaintsOf, meet } from '../../dist/test/proofs/files/try-attack.js'
import { complain, conclude, count, figures, say, skip, violation } from './check.mjs'

const {
  places: most,
  races,
  only,
  seed,
} = figures({
  places: [1, places.length],
  races: [1000, 20_000],
  only: ['', ''],
})
const isTraced = canTrace()
if (!isTraced) skip('strace cannot be used here: what commands open was not looked at', 'controls found')
const chosen = attacks.filter(({ name }) => name.includes(only))
const harmless = { name: 'a good file', path: () => 'ok', ends: 'read' }
const absent = { name: 'no file', path: () => 'none', ends: 'missing' }

/** Of each place what a command opens whatever is named there. */
const opened = new Map()
if (only === '') for (const place of places) alwaysOpened(place)
checkReaders()
if (isTraced) checkControl()
if (only === '') checkRaces()
conclude()

/** What a command opens whatever is named, so that an attack shows by what it opens besides. */
function alwaysOpened(place) {
  const known = opened.get(place)
  if (known !== undefined) return known
  const [good, none] = [harmless, absent].map(attack => [attack, meet(place, attack, { isTraced })])
  const always = new Set([...good[1].outside, ...none[1].outside])
  opened.set(place, always)
  for (const [attack, met] of [good, none])
    complain(`${place.name}, ${attack.name}`, complaintsOf(place, attack, met, always))
  if (isTraced && !good[1].inside.includes('ok'))
    violation(`${place.name}: nobody saw that a good file was opened`)
  return always
}

/** Each attack at some places, or at all. */
function checkReaders() {
  for (const [at, attack] of chosen.entries()) {
    count('attacks')
    for (let turn = 0; turn < most; turn += 1) {
      const place = places[(seed + at + turn) % places.length]
      const met = meet(place, attack, { isTraced })
      count('meetings')
      complain(`${place.name}, ${attack.name}`, complaintsOf(place, attack, met, alwaysOpened(place)))
    }
  }
  say(`${chosen.length} attacks, each at ${most} of ${places.length} places`)
}

/** A reader that follows every path opens what lies outside, and the trace shows it. */
function checkControl() {
  const [place] = places
  const outsideOf = attack => meet(place, attack, { isTraced, reader: carelessReader }).outside
  const usual = new Set(outsideOf(harmless))
  const found = chosen.filter(
    attack => attack.ends !== 'read' && outsideOf(attack).some(file => !usual.has(file)),
  )
  count('controls found', found.length)
}

/** Files and folders become links out while they are read. */
function checkRaces() {
  for (const swapped of ['file', 'folder']) {
    const naive = raced('naive', swapped, 1_000_000)
    if (!(naive.outside > 0))
      violation(`${swapped}: a naive reader never read what lies outside, so this race shows nothing`)
    const jailed = raced('jailed', swapped, races)
    count(
      'races',
      Object.values(jailed).reduce((sum, more) => sum + more, 0),
    )
    if (jailed.outside > 0) violation(`${swapped}: what lies outside was read ${jailed.outside} times`)
    if (!(jailed.inside > 0)) violation(`${swapped}: the file inside was never read`)
    say(
      `a ${swapped} that becomes a link: ${JSON.stringify(jailed)}; a naive reader: was led out after ${sum(naive)}`,
    )
  }
}

function sum(counts) {
  return Object.values(counts).reduce((all, one) => all + one, 0)
}
