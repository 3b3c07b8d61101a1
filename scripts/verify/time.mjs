// Does to the clock of a machine what happens to clocks, at each effect of an apply: it is set by a year, the machine sleeps,
// summer begins, the service tells absurd times. What is told and how it ends stays the same, for a wait is measured by
// time that only grows. Leases are held to what they promise of two machines. The control measures by the wall clock.
// `npm run verify:time [-- --short]`
import { retryAfterMs } from '../../dist/src/client/retry-after.js'
import { leaseBroken } from '../../dist/test/proofs/time/leases.js'
import { timedApply, usualStart } from '../../dist/test/proofs/time/timed-apply.js'
import { complain, conclude, count, figures, say, violation } from './check.mjs'

const { every, seed } = figures({ every: [12, 1] })
const [minuteMs, hourMs, yearMs] = [60_000, 3_600_000, 365.25 * 24 * 3_600_000]
const longestMs = 1000
let slowestMs = 0

const usual = await timedApply({})
if (usual.end !== 'done') violation(`an apply whose clock is right ends with ${usual.end}`)
await jumps()
await sleeps()
await starts()
await services()
await leases()
dates()
await control()
say(`${usual.effects} effects; the slowest course took ${Math.round(slowestMs)} ms`)
conclude()

/** What is told must be the same, word by word; `but` leaves out what is meant to be told besides. */
async function same(what, timing, expected = usual, but = () => false) {
  const timed = await timedApply(timing)
  slowestMs = Math.max(slowestMs, timed.realMs)
  const events = timed.events.filter(event => !but(event))
  const at = expected.events.findIndex((event, index) => event !== events[index])
  const found = []
  if (timed.end !== 'done') found.push(`ends with ${timed.end}`)
  if (at !== -1) found.push(`event ${at} is ${events[at]}, not ${expected.events[at]}`)
  complain(what, found)
  count('courses')
  return found.length
}

async function jumps() {
  for (let at = seed % every; at < usual.effects; at += every)
    for (const wallMs of [yearMs, -yearMs])
      await same(`the clock is set by ${wallMs} ms at effect ${at}`, { bends: [{ at, wallMs }] })
}

/** A gap is told where it is seen, and changes the end in no way; what is seen after it is another matter. */
async function sleeps() {
  for (let at = seed % every; at < usual.effects; at += every)
    for (const counts of [true, false]) {
      const timed = await timedApply({ bends: [{ at, asleepMs: 12 * hourMs, counts }] })
      slowestMs = Math.max(slowestMs, timed.realMs)
      complain(`12 h asleep at effect ${at}`, timed.end === 'done' ? [] : [`ends with ${timed.end}`])
      count('courses')
    }
}

async function starts() {
  const zone = process.env.TZ
  process.env.TZ = 'America/New_York'
  for (const [what, start] of Object.entries({
    'summer begins': Date.UTC(2026, 2, 8, 6, 55),
    'summer ends': Date.UTC(2026, 10, 1, 5, 55),
    'before 1970': Date.UTC(1969, 11, 31, 23, 55),
    'after 2100': Date.UTC(2101, 0, 1),
    'the end of 32 bits': Date.UTC(2038, 0, 19, 3, 10),
  }))
    await same(what, { start })
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
  const long = await timedApply({ stageMs: 13 * minuteMs })
  if (long.end !== 'done' || long.realMs > 60_000)
    violation(`three hours: ${long.end} after ${long.realMs} ms`)
  await same(
    'three hours and a year',
    {
      stageMs: 13 * minuteMs,
      bends: [
        { at: 30, wallMs: yearMs },
        { at: 60, wallMs: -2 * yearMs },
      ],
    },
    long,
  )
}

async function services() {
  for (const skew of ['-900000h', '900000h', '-490848h'])
    await same(`the service is off by ${skew}`, { faults: [`site=skew:${skew}`] })
}

async function leases() {
  for (const apartMs of [
    -yearMs,
    -hourMs,
    -3 * minuteMs,
    -2 * minuteMs,
    -minuteMs,
    0,
    minuteMs,
    2 * minuteMs,
    3 * minuteMs,
    hourMs,
    yearMs,
  ])
    for (const heldMs of [
      0,
      minuteMs,
      14 * minuteMs,
      15 * minuteMs - 1,
      15 * minuteMs,
      17 * minuteMs,
      hourMs,
    ]) {
      complain(`clocks ${apartMs} ms apart, held for ${heldMs} ms`, await leaseBroken(apartMs, heldMs))
      count('leases')
    }
}

/** Whatever a service asks for, and whatever its clock and ours say, nobody waits for less than a second or more than minutes. */
function dates() {
  const texts = [
    '0',
    '1',
    '99999999999999999999',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    'Fri, 31 Dec 9999 23:59:59 GMT',
  ]
  for (const text of texts)
    for (const answeredAt of [undefined, ...texts.slice(3), new Date(usualStart).toUTCString()]) {
      const pauseMs = retryAfterMs(text, answeredAt)
      if (pauseMs === undefined || pauseMs < 1000 || pauseMs > 5 * minuteMs)
        violation(`${text} after ${answeredAt}: ${pauseMs} ms`)
      count('dates')
    }
}

async function control() {
  const mistake = clock => ({ ...clock, monotonicMs: () => clock.now() })
  const right = await timedApply({ mistake })
  let found = 0
  for (const at of [20, 40, 60])
    for (const wallMs of [yearMs, -yearMs]) {
      const wrong = await timedApply({ bends: [{ at, wallMs }], mistake })
      if (wrong.end !== 'done' || JSON.stringify(wrong.events) !== JSON.stringify(right.events)) found += 1
    }
  if (found === 0) violation('the control: nobody finds a wait that is measured by the wall clock')
  else count('controls found')
  if (slowestMs > 30 * longestMs) violation(`a course took ${Math.round(slowestMs)} ms of real time`)
}
