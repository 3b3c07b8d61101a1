// Lets 8 processes ask a database for the same version of the state at once, and apply the same site at once; kills the run
// that has a site at each of its points, and stops it until its lease is over; and kills the server, which flushes what it
// says, under a writer and under runs. The control looks before it writes, and has to be found out.
import { join } from 'node:path'
import {
  appliedThrough,
  crashed,
  freedAfterMs,
  overtaken,
} from '../../dist/test/proofs/processes/in-database.js'
import { killed, pointsOf } from '../../dist/test/proofs/processes/kill.js'
import { numbersRaced } from '../../dist/test/proofs/processes/number-race.js'
import { placeInDatabase } from '../../dist/test/proofs/processes/place.js'
import { raced, stopped } from '../../dist/test/proofs/processes/race.js'
import { realSites } from '../../dist/test/proofs/processes/real-site.js'
import { randomFrom } from '../../dist/test/proofs/sim/interleave.js'
import { inTurns } from '../../dist/test/support/in-turns.js'
import { postgres, postgresIsHere, postgresPackages } from '../../dist/test/support/postgres.js'
import { rowsOf } from '../../dist/test/support/postgres-rows.js'
import { complain, conclude, count, figures, say, scratchFolder, skip, violation } from './check.mjs'

const { numbers, races, kills, stops, crashes, seed, only } = figures({
  numbers: [20, 400],
  races: [2, 40],
  kills: [6, 120],
  stops: [4, 72],
  crashes: [4, 80],
  only: ['', ''],
})
const contenders = 8
const folder = scratchFolder()
const random = randomFrom(seed)
const each = {
  numbers: raceForNumbers,
  races: raceForSites,
  kills: killHolders,
  stops: standStill,
  crashes: killServer,
  control,
}

if (postgresIsHere) {
  const server = await postgres({ isDurable: true })
  try {
    for (const [name, part] of Object.entries(each))
      if (only === '' || name === only) await part(server, await server.freshDatabase())
  } finally {
    await server.stop()
  }
} else
  skip(
    `no PostgreSQL: install ${postgresPackages}`,
    'races for numbers',
    'races for sites',
    'kills at points',
    'runs that stood still',
    'kills of the server',
    'controls found',
  )
conclude()

function again(what) {
  return `npm run verify:database -- --seed ${seed} --only ${what}`
}

async function raceForNumbers(_, connection) {
  const places = Array.from({ length: contenders }, () => connection)
  const { won, violations } = await numbersRaced('postgres', places, numbers)
  count('races for numbers', numbers)
  complain(again('numbers'), violations)
  say(`${contenders} processes asked for ${numbers} numbers, and ${won} were made by one of them`)
}

async function raceForSites(_, connection) {
  const sites = await realSites(races, '--stage-time', '60ms')
  const ends = {}
  await inTurns([...sites.urls.entries()], 2, async ([at, url]) => {
    const place = await placeInDatabase(join(folder, `race-${at}`), connection, url)
    const { codes, violations } = await raced(
      Array.from({ length: contenders }, () => ({ place })),
      sites,
    )
    count('races for sites')
    for (const code of codes) ends[code] = (ends[code] ?? 0) + 1
    complain(`race ${at} (${again('races')})`, violations)
  })
  sites.close()
  count('runs told that another has the site', ends[7] ?? 0)
  say(`${contenders} processes raced for each site: ${JSON.stringify(ends)}`)
}

async function killHolders(_, connection) {
  const sites = await realSites(kills + 4)
  const fresh = [...sites.urls]
  const placed = name => placeInDatabase(join(folder, name), connection, fresh.pop())
  const points = await pointsOf(await placed('points'))
  const first = Math.floor(random() * points.length)
  const step = kills < points.length ? Math.floor(points.length / kills) : 1
  await inTurns(
    Array.from({ length: kills }, (_, turn) => (first + turn * step) % points.length),
    4,
    async at => {
      const name = `kill-${fresh.length}`
      const { violations } = await killed(await placed(name), sites, { at, seconds: 5 })
      count('kills at points')
      complain(`killed ${points[at]} (${again('kills')})`, violations)
    },
  )
  const freed = []
  for (let turn = 0; turn < 3; turn += 1) freed.push(await freedAfterMs(await placed(`freed-${turn}`)))
  sites.close()
  const longest = Math.max(...freed)
  if (longest > 2000) violation(`a site was free only ${longest} ms after its process was killed`)
  say(`${kills} runs were killed at ${points.length} points; a site was free after ${longest.toFixed(1)} ms`)
}

async function standStill(_, connection) {
  const points = ['connect', 'add 2', 'send', 'add 3', 'add 4', 'add 5', 'add 6', 'update', 'add 7'].flatMap(
    what => [`before ${what}`, `after ${what}`],
  )
  const all = ['wakes', 'dies'].flatMap(then =>
    [stopped, overtaken].flatMap(course => points.map(point => ({ course, then, point }))),
  )
  const chosen = all
    .map(stop => ({ stop, lot: random() }))
    .sort((one, other) => one.lot - other.lot)
    .slice(0, stops)
    .map(({ stop }) => stop)
  const sites = await realSites(chosen.length)
  await inTurns([...chosen.entries()], 3, async ([at, { course, ...stop }]) => {
    const place = await placeInDatabase(join(folder, `stop-${at}`), connection, sites.urls[at])
    count('runs that stood still')
    const what = `${course.name}, ${stop.point}, and it ${stop.then} (${again('stops')})`
    complain(what, await course(place, sites, stop))
  })
  sites.close()
  say(`${chosen.length} runs stood still, some past their lease, and woke or died`)
}

async function killServer(server, connection) {
  const afterMs = Array.from({ length: crashes }, () => Math.floor(random() * 400))
  const { acknowledged, violations } = await crashed(server, connection, afterMs)
  count('versions kept', acknowledged)
  complain(`under a writer (${again('crashes')})`, violations)
  const sites = await realSites(crashes, '--stage-time', '30ms')
  const ends = {}
  for (const [at, url] of sites.urls.entries()) {
    const place = await placeInDatabase(join(folder, `crash-${at}`), connection, url)
    const waitMs = 200 + Math.floor(random() * 1200)
    const { codes, violations: found } = await appliedThrough(server, [place, sites], waitMs)
    ends[codes.join(' ')] = (ends[codes.join(' ')] ?? 0) + 1
    complain(`under an apply after ${waitMs} ms (${again('crashes')})`, found)
  }
  sites.close()
  count('kills of the server', 2 * crashes)
  say(
    `the server was killed under a writer with ${acknowledged} versions, and under runs: ${JSON.stringify(ends)}`,
  )
}

/** What looks before it writes lets two make one number. */
async function control(_, connection) {
  await rowsOf(connection, 'create table naive (serial integer)')
  const places = Array.from({ length: contenders }, () => connection)
  const { violations } = await numbersRaced('naive table', places, 40)
  if (violations.length === 0) violation('nobody found out those who look before they write')
  count('controls found', Number(violations.length > 0))
  say(`control: of those who look before they write two made ${violations.length} of 40 numbers`)
}
