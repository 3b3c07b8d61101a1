import { isOn, type SystemCall } from './system-calls.js'
import { type Subject, type Traced, traced } from './traced.js'

/** A program in a new place. The sweep makes system calls on its state fail. */
export interface Trial extends Subject {
  /** The parent folder of its state. */
  readonly around: string
  /** Judges the run after a call was hit. */
  judged(end: Traced, point: Point): Promise<readonly string[]>
}

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

/** Runs a program without faults, and lists the calls on its state, of all kinds or of one. */
export async function callsOf(trial: Trial, file: string, kind = '!futex'): Promise<readonly SystemCall[]> {
  const { code, calls } = await traced(trial, { file, calls: kind })
  if (code !== 0) throw new Error(`a run without faults exited with ${code}`)
  return calls.filter(call => isOn(call, trial.home, trial.around))
}

export function pointsAt(calls: readonly SystemCall[]): readonly Point[] {
  return calls.flatMap(({ name, when }) => callEnds.map(end => ({ name, when, end })))
}

/** Chooses some of the points: first each kind of call, then each kind with each end, then others. */
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

/** The result of a point; `hit` is the call that failed, as traced. */
export interface Swept {
  readonly hit: string | undefined
  readonly violations: readonly string[]
}

/** Threads also wake each other with `write`, more often on a busy machine, so the number of a call varies. */
const maxShift = 12
const shifts = [0, 0, ...Array.from({ length: maxShift }, (_, at) => [-(at + 1), at + 1]).flat()]

/** Makes one call fail, in a new place. If that call was not on the state, tries the neighbouring numbers. */
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
