// Waits for many sites in one process, as `apply` does, and never gets to an end. Prints JSON: resident memory before and
// at its most, and microseconds of the processor for each look after the first round. `node polling.mjs PORT SITES`.
import { waitUntilReady } from '../../dist/src/apply/wait-until-ready.js'
import { processHost } from '../../dist/src/cli/terminal/process-host.js'
import { siteReader } from '../../dist/src/client/site-reader.js'
import { systemClock } from '../../dist/src/library/system-clock.js'

// As every command about many sites does first.
await processHost(() => undefined).keepHeapSmall()
const [port, sites] = process.argv.slice(2).map(Number)
const [roundMs, rounds] = [2_000, 6]
const stops = Array.from({ length: sites }, () => new AbortController())
let isOver = false
const kilobytesBefore = process.memoryUsage.rss() / 1024
let looks = 0
const wait = async at => {
  const { signal } = stops[at]
  const url = `http://127.0.${1 + Math.floor(at / 250)}.${1 + (at % 250)}:${port}/arcgis/admin`
  const reader = siteReader(url)
  const observe = async (...args) => {
    const seen = await reader.observe(...args)
    if (!seen.ok && !isOver) throw new Error(JSON.stringify(seen.error))
    looks += 1
    return seen
  }
  // Begun one after the other, as a fleet is.
  await systemClock.sleep((at / sites) * roundMs, signal)
  const waitOptions = { timeoutMs: 3_600_000, pollMs: roundMs }
  const waiting = { reader: { observe }, clock: systemClock, waitOptions, random: Math.random, stages: [] }
  for await (const _ of waitUntilReady(waiting, signal));
}
const slept = milliseconds => systemClock.sleep(milliseconds, new AbortController().signal)
const waits = Array.from({ length: sites }, (_, at) => wait(at))
await slept(2 * roundMs)
const from = { looks, usage: process.resourceUsage() }
await slept(rounds * roundMs)
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
const microseconds = userCPUTime - from.usage.userCPUTime + systemCPUTime - from.usage.systemCPUTime
isOver = true
for (const stop of stops) stop.abort()
await Promise.all(waits)
process.stdout.write(
  JSON.stringify({
    kilobytesBefore,
    peakKilobytes: maxRSS,
    microseconds: microseconds / (looks - from.looks),
  }),
)
process.exit(0)
