import type { Clock } from '../../src/apply/clock.js'
import { parseHttpDate, parseRetryAfter } from '../../src/client/message.js'
import { type CheckRun, declareCheck } from './check.js'
import { leaseBroken } from './time/leases.js'
import { type Timed, type Timing, timedApply, usualStart } from './time/timed-apply.js'

const figures = { every: [12, 1] } as const

/**
 * Does to the clock of a machine what happens to clocks, at each effect of an apply: it is set by a year, the machine sleeps,
 * summer begins, the service tells absurd times. What is told and how it ends stays the same, for a wait is measured by
 * time that only grows. Leases are held to what they promise of two machines. The control measures by the wall clock.
 */
export const check = declareCheck({
  name: 'time',
  shows:
    'Whatever happens to the clock of a machine or of the service, an apply reports the same and ends the same way.',
  counts: { 'simulated runs': [70, 200], leases: [77, 77], dates: [20, 20], 'controls found': [1, 1] },
  planted: 'controls found',
  short: 'ci',
  gate: 'change',
  figures,
  async run(run) {
    const usual = await timedApply({})
    if (usual.end !== 'done') run.violation(`an apply whose clock is right ends with ${usual.end}`)
    const courses = comparisonRuns(usual)
    await jumps(run, courses)
    await sleeps(run, courses)
    await starts(run, courses)
    await services(run, courses)
    await leases(run)
    dates(run)
    await control(run)
    const slowestMs = courses.slowestMs()
    if (slowestMs > maxCourseMs) run.violation(`a course took ${Math.round(slowestMs)} ms of real time`)
    run.say(`${usual.effects} effects; the slowest course took ${Math.round(slowestMs)} ms`)
  },
})

type Run = CheckRun<typeof figures>

const [minuteMs, hourMs, yearMs] = [60_000, 3_600_000, 365.25 * 24 * 3_600_000] as const
const maxCourseMs = 30_000
const maxLongCourseMs = 60_000

/** Applies beside the usual one, to which nothing happens. */
interface Courses {
  readonly usual: Timed
  made(timing: Timing): Promise<Timed>
  slowestMs(): number
}

function comparisonRuns(usual: Timed): Courses {
  let slowestMs = 0
  return {
    usual,
    async made(timing) {
      const timed = await timedApply(timing)
      slowestMs = Math.max(slowestMs, timed.realMs)
      return timed
    },
    slowestMs: () => slowestMs,
  }
}

/** The effects of the usual apply that this run is to try. */
function effectsOf({ figures: { every }, seed }: Run, { usual }: Courses): readonly number[] {
  return Array.from({ length: usual.effects }, (_, at) => at).filter(at => at % every === seed % every)
}

/** Compares what is told, word by word, with what is told usually. */
async function tellTheSame(
  { complain, count }: Run,
  { usual, made }: Courses,
  { what, timing, expected = usual }: Comparison,
) {
  const { end, events } = await made(timing)
  const at = expected.events.findIndex((event, index) => event !== events[index])
  complain(what, [
    ...(end === 'done' ? [] : [`ends with ${end}`]),
    ...(at === -1 ? [] : [`event ${at} is ${events[at]}, not ${expected.events[at]}`]),
  ])
  count('simulated runs')
}

interface Comparison {
  readonly what: string
  readonly timing: Timing
  /** The course that it is compared with, where that is not the usual one. */
  readonly expected?: Timed
}

async function jumps(run: Run, courses: Courses) {
  for (const at of effectsOf(run, courses))
    for (const wallMs of [yearMs, -yearMs]) {
      const what = `the clock is set by ${wallMs} ms at effect ${at}`
      await tellTheSame(run, courses, { what, timing: { bends: [{ at, wallMs }] } })
    }
}

/** A gap is told where it is seen, and changes the end in no way; what is seen after it is another matter. */
async function sleeps(run: Run, courses: Courses) {
  for (const at of effectsOf(run, courses))
    for (const counts of [true, false]) {
      const { end } = await courses.made({ bends: [{ at, asleepMs: 12 * hourMs, counts }] })
      run.complain(`12 h asleep at effect ${at}`, end === 'done' ? [] : [`ends with ${end}`])
      run.count('simulated runs')
    }
}

const remarkableStarts: Readonly<Record<string, number>> = {
  'summer begins': Date.UTC(2026, 2, 8, 6, 55),
  'summer ends': Date.UTC(2026, 10, 1, 5, 55),
  'before 1970': Date.UTC(1969, 11, 31, 23, 55),
  'after 2100': Date.UTC(2101, 0, 1),
  'the end of 32 bits': Date.UTC(2038, 0, 19, 3, 10),
}

async function starts(run: Run, courses: Courses) {
  const zone = process.env['TZ']
  process.env['TZ'] = 'America/New_York'
  for (const [what, start] of Object.entries(remarkableStarts))
    await tellTheSame(run, courses, { what, timing: { start } })
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
  await longCourses(run, courses)
}

async function longCourses(run: Run, courses: Courses) {
  const stageMs = 13 * minuteMs
  const long = await timedApply({ stageMs })
  if (long.end !== 'done' || long.realMs > maxLongCourseMs)
    run.violation(`three hours: ${long.end} after ${long.realMs} ms`)
  const bends = [
    { at: 30, wallMs: yearMs },
    { at: 60, wallMs: -2 * yearMs },
  ]
  await tellTheSame(run, courses, {
    what: 'three hours and a year',
    timing: { stageMs, bends },
    expected: long,
  })
}

async function services(run: Run, courses: Courses) {
  for (const skew of ['-900000h', '900000h', '-490848h'])
    await tellTheSame(run, courses, {
      what: `the service is off by ${skew}`,
      timing: { faults: [`site=skew:${skew}`] },
    })
}

async function leases({ complain, count }: Run) {
  const late = [minuteMs, 2 * minuteMs, 3 * minuteMs, hourMs, yearMs]
  const held = [0, minuteMs, 14 * minuteMs, 15 * minuteMs - 1, 15 * minuteMs, 17 * minuteMs, hourMs]
  for (const apartMs of [...late.map(ms => -ms), 0, ...late])
    for (const heldMs of held) {
      complain(`clocks ${apartMs} ms apart, held for ${heldMs} ms`, await leaseBroken(apartMs, heldMs))
      count('leases')
    }
}

const maxPauseMs = 5 * minuteMs
const minPauseMs = 1000

/** Whatever a service asks for, and whatever its clock and ours say, nobody waits for less than a second or more than minutes. */
function dates({ count, violation }: Run) {
  const ends = ['Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT']
  for (const text of ['0', '1', '99999999999999999999', ...ends])
    for (const answeredAt of [undefined, ...ends, new Date(usualStart).toUTCString()]) {
      const pauseMs = parseRetryAfter(text, parseHttpDate(answeredAt ?? ''))
      if (pauseMs === undefined || pauseMs < minPauseMs || pauseMs > maxPauseMs)
        violation(`${text} after ${answeredAt}: ${pauseMs} ms`)
      count('dates')
    }
}

/** Measures waits by the wall clock. */
async function control({ count, violation }: Run) {
  const mistake = (clock: Clock): Clock => ({ ...clock, monotonicMs: () => clock.now() })
  const right = await timedApply({ mistake })
  let found = 0
  for (const at of [20, 40, 60])
    for (const wallMs of [yearMs, -yearMs]) {
      const wrong = await timedApply({ bends: [{ at, wallMs }], mistake })
      if (wrong.end !== 'done' || JSON.stringify(wrong.events) !== JSON.stringify(right.events)) found += 1
    }
  if (found === 0) violation('the control: nobody finds a wait that is measured by the wall clock')
  else count('controls found')
}
