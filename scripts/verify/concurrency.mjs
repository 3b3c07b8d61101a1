// Lets 8 processes ask for the same version of the state at once, and apply the same site at once; stops the run that has a
// site at each of its points, and wakes or kills it; and has two machines meet at one repository, one of which may be behind
// the end of its lease. The controls look before they write, and share no state, and both have to be found out.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { numbersRaced } from '../../dist/test/proofs/processes/number-race.js'
import { otherCheckout, placeIn } from '../../dist/test/proofs/processes/place.js'
import { raced, stopped } from '../../dist/test/proofs/processes/race.js'
import { realSites } from '../../dist/test/proofs/processes/real-site.js'
import { met, namespaced, renamed } from '../../dist/test/proofs/processes/two-hosts.js'
import { randomFrom } from '../../dist/test/proofs/sim/interleave.js'
import { bareRepository, checkout } from '../../dist/test/support/git-repositories.js'
import { inTurns } from '../../dist/test/support/in-turns.js'
import { removeTemporaryFolders } from '../../dist/test/support/temporary-folder.js'
import { complain, conclude, count, figures, say, scratchFolder, skip, violation } from './check.mjs'

const { numbers, races, stops, hosts, seed, only } = figures({
  numbers: [4, 200],
  races: [2, 70],
  stops: [2, 72],
  hosts: [3, 102],
  only: ['', ''],
})
const contenders = 8
const folder = scratchFolder()
const random = randomFrom(seed)
/** From the version that takes the site to the one that lets it go. */
const points = [
  'after add 1',
  ...['connect', 'add 2', 'send', 'add 3', 'add 4', 'add 5', 'add 6', 'update', 'add 7'].flatMap(what => [
    `before ${what}`,
    `after ${what}`,
  ]),
  'before add 8',
]
const each = {
  numbers: raceForNumbers,
  races: raceForSites,
  stops: standStill,
  hosts: meetElsewhere,
  control: controls,
}

try {
  const [wanted] = only.split(' ')
  for (const [name, part] of Object.entries(each)) if (only === '' || name === wanted) await part()
} finally {
  await removeTemporaryFolders()
}
conclude()

function again(what) {
  return `npm run verify:concurrency -- --seed ${seed} --only '${what}'`
}

async function raceForNumbers() {
  const bare = await bareRepository()
  const checkouts = await Promise.all(Array.from({ length: contenders }, () => checkout(bare)))
  const places = { file: Array.from({ length: contenders }, () => join(folder, 'numbers')), git: checkouts }
  for (const kind of ['file', 'git']) {
    const { won, violations } = await numbersRaced(kind, places[kind], numbers)
    count('races for numbers', numbers)
    complain(`${kind} (${again('numbers')})`, violations)
    say(
      `${kind}: ${contenders} processes asked for ${numbers} numbers, each of which ${won === numbers ? 'one of them made' : 'was to be made once'}`,
    )
  }
}

/** The site takes its time, so that whoever comes a little later still meets the run that has it. */
async function raceForSites() {
  const sites = await realSites(races, '--stage-time', '60ms')
  const ends = {}
  await inTurns(someOf(sites.urls, races), 2, async at => {
    const kind = at % 2 === 0 ? 'file' : 'git'
    const place = await placeIn(join(folder, `race-${at}`), kind, sites.urls[at])
    const { codes, violations } = await raced(
      Array.from({ length: contenders }, () => ({ place })),
      sites,
    )
    count('races for sites')
    tally(ends, codes)
    complain(`race ${at}, ${kind} (${again(`races ${at}`)})`, violations)
  })
  sites.close()
  count('runs told that another has the site', ends[7] ?? 0)
  say(`${contenders} processes raced for each site: ${inWords(ends)}`)
}

async function standStill() {
  const all = ['wakes', 'dies'].flatMap(then =>
    ['file', 'git'].flatMap(kind => points.map(point => ({ then, kind, point }))),
  )
  const chosen = drawn(all, stops)
  const sites = await realSites(chosen.length)
  await inTurns(someOf(chosen, chosen.length), 3, async at => {
    const { kind, ...stop } = chosen[at]
    const place = await placeIn(join(folder, `stop-${at}`), kind, sites.urls[at])
    count('runs that stood still')
    const what = `${kind}, stopped ${stop.point}, and it ${stop.then}`
    complain(`${what} (${again(`stops ${at}`)})`, await stopped(place, sites, stop))
  })
  sites.close()
  say(`${chosen.length} runs stood still, and woke or died`)
}

async function meetElsewhere() {
  const spaces = namespaced()
  if (spaces === undefined)
    skip('no namespaces of the kernel here: the other machine only says that it is one')
  const drawnPoints = Array.from({ length: hosts }, () => points[Math.floor(random() * points.length)])
  const sites = await realSites(hosts, '--stage-time', '30ms')
  const ends = {}
  await inTurns(someOf(drawnPoints, hosts), 3, async at => {
    const what = ['race', 'dies', 'wakes'][at % 3]
    const place = await placeIn(join(folder, `hosts-${at}`), 'git', sites.urls[at])
    const there = at % 2 === 0 ? (spaces ?? renamed) : renamed
    const meeting = { what, point: drawnPoints[at] }
    const { codes, violations } = await met([place, await otherCheckout(place)], sites, { there, meeting })
    count('meetings of two machines')
    tally(ends, [`${what} ${codes.join(' ')}`])
    complain(
      `two machines, ${what} ${what === 'race' ? '' : meeting.point} (${again(`hosts ${at}`)})`,
      violations,
    )
  })
  sites.close()
  say(`two machines: ${inWords(ends)}`)
}

/** What looks before it writes lets two make one number; runs that share no state send more than once. */
async function controls() {
  const place = join(folder, 'naive')
  mkdirSync(place)
  const naive = await numbersRaced(
    'naive',
    Array.from({ length: contenders }, () => place),
    60,
  )
  if (naive.violations.length === 0) violation('nobody found out those who look before they write')
  const sites = await realSites(1, '--fault', 'configure=delay:2s')
  const [url] = sites.urls
  const apart = await Promise.all(
    Array.from({ length: 3 }, (_, at) => placeIn(join(folder, `apart-${at}`), 'file', url)),
  )
  const { violations } = await raced(
    apart.map(one => ({ place: one })),
    sites,
  )
  sites.close()
  const twice = violations.find(text => text.startsWith('I1'))
  if (twice === undefined) violation('nobody found out those who share no state')
  count('controls found', Number(naive.violations.length > 0) + Number(twice !== undefined))
  say(
    `controls: of those who look before they write two made ${naive.violations.length} of 60 numbers; with no state in common: ${twice}`,
  )
}

/** The numbers of all items, or the one that is asked for. */
function someOf(items, length) {
  const [, wanted] = only.split(' ')
  const all = Array.from({ length: Math.min(length, items.length) }, (_, at) => at)
  return wanted === undefined ? all : [Number(wanted)]
}

function drawn(items, most) {
  return items
    .map(item => ({ item, lot: random() }))
    .sort((one, other) => one.lot - other.lot)
    .slice(0, most)
    .map(({ item }) => item)
}

function tally(ends, codes) {
  for (const code of codes) ends[code] = (ends[code] ?? 0) + 1
}

function inWords(ends) {
  return Object.entries(ends)
    .map(([code, times]) => `${times} x ${code}`)
    .join(', ')
}
