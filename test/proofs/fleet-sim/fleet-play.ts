import { cutWaves, decideAfterWave, parseWaves } from '../../../packages/fleet/src/model/submission.js'
import { computeFraction } from '../../../src/emulator/service/timeline.js'
import type { RunState } from '../../../src/plan/run-state.js'
import { heap, type Queue, queueOf } from './engine-queue.js'
import { pace, type Setting } from './setting.js'
import { behaviourOf, nextStep, type SitePlay, unplayed } from './site-play.js'

/** One run, as whoever saw all of it would tell. Times in milliseconds since the first submission. */
export interface PlayedRun {
  readonly site: string
  readonly generation: number
  readonly priority: number
  readonly rollout: number
  readonly wave: number
  queuedMs?: number
  endedMs?: number
  state?: RunState
  play: SitePlay
  /** When it was on which worker. */
  readonly spans: { readonly worker: number; readonly fromMs: number; toMs: number }[]
  /** When its worker died, and when that was noticed. */
  readonly losses: { readonly diedMs: number; foundMs: number }[]
}

interface Submission {
  readonly atMs: number
  readonly waves: readonly (readonly PlayedRun[])[]
}

interface Worker {
  readonly number: number
  isAlive: boolean
  isLooking: boolean
  readonly runs: Set<PlayedRun>
}

/** Plays a fleet to its end, event by event. The same setting has the same course. */
export function playFleet(setting: Setting): readonly PlayedRun[] {
  const { seed, limit, fleetLimit = Number.POSITIVE_INFINITY, mistake } = setting
  const agenda = heap<{ readonly atMs: number; readonly number: number; readonly act: () => void }>((a, b) =>
    a.atMs === b.atMs ? a.number < b.number : a.atMs < b.atMs,
  )
  let now = 0
  let numbers = 0
  let claimed = 0
  const at = (atMs: number, act: () => void) => {
    numbers += 1
    agenda.add({ atMs, number: numbers, act })
  }
  const queue: Queue<PlayedRun> = queueOf(setting)
  const workers: Worker[] = Array.from({ length: setting.workers }, (_, number) => ({
    number,
    isAlive: true,
    isLooking: false,
    runs: new Set<PlayedRun>(),
  }))
  const submissions = submissionsOf(setting)
  /** The newest generation of each site that was submitted again. */
  const newest = new Map<string, number>()

  const roomOf = ({ runs }: Worker) => {
    const here = mistake === 'ignores the limit of a worker' ? limit + 1 - runs.size : limit - runs.size
    return Math.min(here, mistake === 'ignores the fleet limit' ? here : fleetLimit - claimed)
  }
  /** Each worker looks at the queue in a rhythm of its own, and here only where that may come to something. */
  const wake = () => {
    for (const worker of workers) {
      if (!worker.isAlive || worker.isLooking || queue.size === 0 || roomOf(worker) <= 0) continue
      worker.isLooking = true
      const beat = pace.queueMs * computeFraction(seed, `worker ${worker.number}`)
      at(beat + Math.ceil((now + 1 - beat) / pace.queueMs) * pace.queueMs, () => look(worker))
    }
  }
  const look = (worker: Worker) => {
    worker.isLooking = false
    while (worker.isAlive && roomOf(worker) > 0) {
      const run = queue.take()
      if (run === undefined) break
      claimed += 1
      worker.runs.add(run)
      run.spans.push({ worker: worker.number, fromMs: now, toMs: Number.POSITIVE_INFINITY })
      goOn(run, worker, run.spans.length)
    }
    wake()
  }
  const goOn = (run: PlayedRun, worker: Worker, claim: number) => {
    // Another worker has it, or this one is dead.
    if (run.spans.length !== claim || !worker.isAlive) return
    const { takesMs, after, pauseMs, end } = nextStep(run.play, behaviourOf(seed, run.site), now)
    at(now + takesMs, () => {
      if (run.spans.length !== claim || !worker.isAlive) return
      run.play = after
      if (end === undefined) at(now + pauseMs, () => goOn(run, worker, claim))
      else finish(run, worker, end.state)
    })
  }
  const finish = (run: PlayedRun, worker: Worker, state: RunState) => {
    worker.runs.delete(run)
    claimed -= 1
    closeSpan(run, now)
    queue.done(run)
    ended(run, state)
    wake()
  }
  const ended = (run: PlayedRun, state: RunState) => {
    run.endedMs = now
    run.state = state
    const wave = submissions[run.rollout]?.waves[run.wave] ?? []
    if (mistake === 'begins every wave at once') return
    const states = wave.map(one => one.state ?? 'running')
    if (decideAfterWave(states, setting.keepsGoing) !== 'goes-on') return
    at(now + pace.waveMs * computeFraction(seed, `wave ${run.wave}`), () => begin(run.rollout, run.wave + 1))
  }
  const begin = (rollout: number, wave: number) => {
    for (const run of submissions[rollout]?.waves[wave] ?? []) {
      run.queuedMs = now
      if (isOld(run)) ended(run, 'cancelled')
      else queue.add(run)
    }
    wake()
  }
  /** An older manifest is not applied after a newer one. */
  const isOld = ({ site, generation }: PlayedRun) =>
    mistake !== 'begins what was submitted again since' && generation < (newest.get(site) ?? 0)
  const die = (worker: Worker) => {
    worker.isAlive = false
    const orphans = [...worker.runs]
    for (const run of orphans) closeSpan(run, now)
    const loss = { diedMs: now, foundMs: Number.POSITIVE_INFINITY }
    const losses = orphans.map(run => {
      const own = { ...loss }
      run.losses.push(own)
      return own
    })
    if (mistake === 'leaves the sites of dead workers') return
    at(now + pace.leaseMs + pace.orphansMs * computeFraction(seed, `orphans of ${worker.number}`), () => {
      if (!workers.some(({ isAlive }) => isAlive)) return
      for (const own of losses) own.foundMs = now
      for (const run of orphans) {
        claimed -= 1
        queue.add(run)
        queue.done(run)
      }
      wake()
    })
  }

  for (const { atMs, waves } of submissions)
    for (const { site, generation } of waves.flat())
      if (generation > 1) at(atMs, () => newest.set(site, generation))
  for (const [rollout, { atMs, waves }] of submissions.entries())
    for (const wave of waves.keys())
      if (wave === 0 || mistake === 'begins every wave at once') at(atMs, () => begin(rollout, wave))
  for (const { worker, atMs } of setting.deaths) {
    const dying = workers[worker]
    if (dying !== undefined) at(atMs, () => die(dying))
  }
  for (let next = agenda.take(); next !== undefined; next = agenda.take()) {
    now = next.atMs
    next.act()
  }
  return submissions.flatMap(({ waves }) => waves.flat())
}

function closeSpan({ spans }: PlayedRun, toMs: number): void {
  const last = spans.at(-1)
  if (last !== undefined) last.toMs = toMs
}

function submissionsOf({ sites, waves, urgent, again }: Setting): readonly Submission[] {
  const names = Array.from({ length: sites }, (_, at) => `site-${at + 1}`)
  const cut = cutWaves(names, parseWaves(waves) ?? [])
  const submitted = (rollout: number, inWaves: readonly (readonly string[])[], changes: Partial<PlayedRun>) =>
    inWaves.map((wave, number) =>
      wave.map(
        (site): PlayedRun => ({
          site,
          generation: 1,
          priority: 100,
          rollout,
          wave: number,
          play: unplayed,
          spans: [],
          losses: [],
          ...changes,
        }),
      ),
    )
  const later: Submission[] = []
  if (urgent !== undefined) {
    const hurried = Array.from({ length: urgent.sites }, (_, at) => `urgent-${at + 1}`)
    later.push({ atMs: urgent.afterMs, waves: submitted(1, [hurried], { priority: 1 }) })
  }
  if (again !== undefined) {
    const waiting = names.slice(-again.sites)
    later.push({ atMs: again.afterMs, waves: submitted(1 + later.length, [waiting], { generation: 2 }) })
  }
  return [{ atMs: 0, waves: submitted(0, cut, {}) }, ...later]
}
