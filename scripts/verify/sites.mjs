// Applies to a hundred sites of one emulator, twenty of which are faulty in different ways, with the program as users have
// it, and holds every outcome against the counters of the emulator. One more is faulty, and takes itself for sound: that has
// to be found out. `--sites N`, `--concurrency N`.
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { aFleet, faultySites } from '../../dist/test/support/a-fleet.js'
import { someSecrets } from '../../dist/test/support/some-secrets.js'
import { conclude, count, figures, say, violation } from './check.mjs'

const { sites, concurrency } = figures({ sites: [40, 100], concurrency: [8, 8] })
const mostMegabytes = 300
const waves = '1,10%,100%'
const program = join('dist', 'bin', 'landform.cjs')

const expect = (what, actual, wanted) => {
  if (JSON.stringify(actual) === JSON.stringify(wanted)) return
  violation(`${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(wanted)}`)
}

/** Spread evenly, the first of them in the second wave. */
const step = Math.floor(sites / faultySites.length)
const faultyAt = site => (site % step === 0 ? faultySites[site / step - 1] : undefined)
const numbers = Array.from({ length: sites }, (_, at) => at + 1)
/** The last one that is sound, but for a fault that nobody is told of. */
const planted = numbers.findLast(site => faultyAt(site) === undefined)
const found = new Set()
const expectOf = (site, what, actual, wanted) => {
  if (site !== planted) expect(`site ${site}, ${what}`, actual, wanted)
  else if (JSON.stringify(actual) !== JSON.stringify(wanted)) found.add(what)
}
const fleet = await aFleet(sites, {
  stageMs: 40,
  siteWords: [
    `${planted}:configure=drop-before`,
    ...numbers.flatMap(site => (faultyAt(site)?.fault ? [`${site}:${faultyAt(site).fault}`] : [])),
  ],
  changes: new Map(numbers.flatMap(site => (faultyAt(site)?.change ? [[site, faultyAt(site).change]] : []))),
})
const report = join(fleet.folder, 'report.json')

try {
  count('sites', sites)
  const halted = await applied('halted', ['--waves', waves])
  const begun = halted.document.sites.filter(site => site.wave !== null && site.exitCode !== null)
  const asked = new Set(fleet.served.filter(({ operation }) => operation !== 'root').map(({ site }) => site))
  const ready = halted.document.sites.filter(site => site.wave !== null).length
  expect(
    'the size of the first waves',
    halted.document.waves.slice(0, 2).map(wave => wave.sites),
    [1, Math.ceil(ready / 10) - 1],
  )
  expect(
    'the halt',
    [halted.document.halt, halted.document.waves.map(wave => wave.outcome)],
    ['stop-rule', ['done', 'not-done', 'not-begun']],
  )
  expect('sites beyond the second wave that got a request that writes', outside(asked, begun), [])
  expect('the exit code of a halted run is not 0', halted.exitCode !== 0, true)

  const first = await applied('resumed', ['--waves', waves, '--keep-going'])
  const seenBefore = new Set(
    halted.document.sites.flatMap(({ file, exitCode }) => (exitCode === null ? [] : [file])),
  )
  for (const [at, { file, exitCode }] of first.document.sites.entries()) {
    const which = seenBefore.has(file) ? 1 : 0
    expectOf(at + 1, `${whatOf(at + 1)}, the exit code`, exitCode, codesOf(at + 1)[which])
  }
  const last = await applied('once more', ['--keep-going'])
  for (const [at, { exitCode }] of last.document.sites.entries())
    expectOf(at + 1, `${whatOf(at + 1)}, the exit code once more`, exitCode, codesOf(at + 1)[1])
  for (const site of numbers) {
    const { accepted } = fleet.counters(site).configure
    expectOf(site, `${whatOf(site)}, accepted configurations`, accepted, faultyAt(site)?.accepted ?? 1)
  }
  count('planted faults found', found.size)
  const configures = fleet.served.filter(({ operation }) => operation === 'configure').map(({ site }) => site)
  expect(
    'sites that were asked twice to configure',
    configures.filter((site, at) => configures.indexOf(site) !== at),
    [],
  )
} finally {
  await fleet.emulator.close()
  rmSync(fleet.folder, { recursive: true })
}
conclude()

function codesOf(site) {
  return faultyAt(site)?.exitCodes ?? [0, 0]
}

function whatOf(site) {
  return faultyAt(site)?.what ?? 'sound'
}

function outside(asked, begun) {
  const known = new Set(begun.map(({ file }) => fleet.files.indexOf(file) + 1))
  return [...asked].filter(site => !known.has(site))
}

/** One run of the program, with its peak of memory and of sites that are worked on at once. */
async function applied(name, options) {
  const from = fleet.served.length
  const startedMs = performance.now()
  const wait = ['--timeout', '10s', '--poll-interval', '200ms', '--concurrency', String(concurrency)]
  const words = ['apply', fleet.folder, '--yes', '--quiet', ...wait, ...options, '--format', `json=${report}`]
  const child = spawn(process.execPath, [program, ...words], {
    env: { PATH: process.env.PATH, ...someSecrets },
    stdio: 'ignore',
  })
  let megabytes = 0
  const measure = () => {
    try {
      const [, kilobytes] = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
      megabytes = Math.max(megabytes, Number(kilobytes ?? 0) / 1024)
    } catch {
      // It has ended.
    }
  }
  const measuring = setInterval(measure, 20)
  const exitCode = await new Promise(resolve => child.once('exit', resolve))
  clearInterval(measuring)
  const document = JSON.parse(readFileSync(report, 'utf8'))
  const atOnce = peak(fleet.served.slice(from))
  const { done, notDone, notBegun } = document.summary
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  say(
    `${name}: exit code ${exitCode}; ${done} done, ${notDone} not done, ${notBegun} not begun; ${seconds} s, peak ${Math.round(megabytes)} MB, ${atOnce} sites at once`,
  )
  expect(`${name}: the exit code of the document`, document.exitCode, exitCode)
  expect(`${name}: memory in its budget`, megabytes < mostMegabytes, true)
  expect(`${name}: concurrency in its limit`, atOnce <= concurrency, true)
  return { exitCode, document }
}

/** How many sites are between their first and their last request after planning, at most. */
function peak(served) {
  const spans = new Map()
  for (const { site, operation, at } of served) {
    const span = spans.get(site)
    if (span !== undefined) span.to = at
    else if (operation === 'configure') spans.set(site, { from: at, to: at })
  }
  const edges = [...spans.values()].flatMap(({ from, to }) => [
    [from, 1],
    [to, -1],
  ])
  let [now, most] = [0, 0]
  for (const [, change] of edges.sort(([a, x], [b, y]) => a - b || x - y)) {
    now += change
    most = Math.max(most, now)
  }
  return most
}
