import { isOn, type SystemCall } from './system-calls.js'
import { type Subject, type Traced, traced } from './traced.js'

/** A program in a fresh place, whose calls on its state are made to fail. */
export interface Trial extends Subject {
  /** The folder around that of its state. */
  readonly around: string
  /** What is wrong after it ended; the call that was hit is the last word on what it may say. */
  judged(end: Traced, point: Point): Promise<readonly string[]>
}

/** What happens at a call: the process ends before it, or the system says no. */
const callEnds = [
  'signal=KILL',
  'error=EIO',
  'error=ENOSPC',
  'error=EDQUOT',
  'error=EROFS',
  'error=EINTR',
] as const

export interface Point {
  readonly name: string
  readonly when: number
  readonly end: (typeof callEnds)[number]
}

/** The calls on its state that a program makes where nothing goes wrong, of all kinds or of one. */
export async function callsOf(trial: Trial, file: string, kind = '!futex'): Promise<readonly SystemCall[]> {
  const { code, calls } = await traced(trial, { file, calls: kind })
  if (code !== 0) throw new Error(`a run to which nothing happens ends with ${code}`)
  return calls.filter(call => isOn(call, trial.home, trial.around))
}

/** Every call with every end. */
export function pointsAt(calls: readonly SystemCall[]): readonly Point[] {
  return calls.flatMap(({ name, when }) => callEnds.map(end => ({ name, when, end })))
}

/** So many of the points: each call first, then each call with each end, as far as they are enough. */
export function chosenOf(points: readonly Point[], count: number, random: () => number): readonly Point[] {
  const drawn = points.map(point => ({ point, lot: random() })).sort((one, other) => one.lot - other.lot)
  const seen = new Set<string>()
  const isNew = (what: string) => seen.size !== seen.add(what).size
  const rankOf = ({ name, end }: Point) => (isNew(name) ? 0 : isNew(`${name} ${end}`) ? 1 : 2)
  const ranked = drawn.map(({ point }) => ({ point, rank: rankOf(point) }))
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .slice(0, count)
    .map(({ point }) => point)
}

/** What came of a point; `hit` is the call that it met, by the trace. */
export interface Swept {
  readonly hit: string | undefined
  readonly violations: readonly string[]
}

/** Threads wake one another by `write`, too, and how often differs from run to run, by more the busier the machine is. */
const maxShift = 12
const shifts = [0, 0, ...Array.from({ length: maxShift }, (_, at) => [-(at + 1), at + 1]).flat()]

/** Makes one call fail, in a fresh place. A point that met a call on something else is tried again, nearby. */
export async function swept(fresh: () => Promise<Trial>, point: Point, file: string): Promise<Swept> {
  for (const shift of shifts) {
    const trial = await fresh()
    const inject = `${point.name}:${point.end}:when=${Math.max(1, point.when + shift)}`
    const end = await traced(trial, { file, calls: point.name, inject })
    const hit = end.calls.find(call => call.isHit)
    if (hit === undefined || !isOn(hit, trial.home, trial.around)) continue
    return { hit: hit.text, violations: await trial.judged(end, point) }
  }
  return { hit: undefined, violations: [] }
}
