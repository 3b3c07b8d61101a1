import { setImmediate } from 'node:timers/promises'
import { judge } from '../judge/judge.js'
import { ofEffect } from './enumerate.js'
import { type Course, ended, factsOf, goOn, type Mutant, type Setting, stageOf, started } from './scenario.js'
import { believedTwice } from './sim-site.js'
import { type FaultAt, losses } from './world.js'

/** With a disk an apply has many more effects. */
const faultsInHundred = { memory: 4, disk: 1 }
const hoursInHundred = 1
const mostStalled = 40

/** Returns a generator of numbers from 0 to 1 that depend only on the seed (xorshift32). */
export function randomFrom(seed: number): () => number {
  let state = (Math.imul(seed, 2_654_435_769) ^ 0x9e3779b9) | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** Runs some processes at once, interleaves their effects by the seed, and then completes the site with further runs. */
export async function interleaved(seed: number, setting: Setting, mutant: Mutant = {}): Promise<Course> {
  const random = randomFrom(seed)
  const below = (count: number) => Math.floor(random() * count)
  const { disk = false } = setting
  const often = faultsInHundred[disk ? 'disk' : 'memory']
  const ofProcess = ['crash-before', 'crash-after', ...(disk ? Object.keys(losses) : [])]
  let isOver = false
  const believed = new Set<string>()
  const faultAt: FaultAt = (_, kind) => {
    if (isOver || random() * 100 >= often) return undefined
    const names = [...ofProcess, ...ofEffect[kind]]
    const name = names[below(names.length)]
    // A run believes a wrong response if the site repeats it, so it comes only once.
    if (name === undefined || believed.has(name)) return undefined
    if (believedTwice.includes(name)) believed.add(name)
    return name
  }
  const stage = stageOf(setting, faultAt, mutant)
  const { world } = stage
  const waiting = new Map<number, () => void>()
  world.gate = pid => (isOver ? Promise.resolve() : new Promise(resolve => waiting.set(pid, resolve)))
  const runs: Course['runs'][number][] = []
  const found: string[] = []
  let running = 2 + below(2)
  for (let process = running; process > 0; process -= 1)
    void started(stage).then(end => {
      runs.push(end)
      found.push(...judge(factsOf(stage, end)).map(text => `run ${runs.length}: ${text}`))
      running -= 1
    })
  let stalled = 0
  let turns = 0
  while (running > 0) {
    await setImmediate()
    if (turns === 0) [stalled, turns] = [1 + below(3), below(mostStalled)]
    turns = Math.max(0, turns - 1)
    const ready = [...waiting.keys()].filter(pid => pid !== stalled || waiting.size === 1)
    const next = ready[below(ready.length)]
    if (next === undefined) continue
    if (random() * 100 < hoursInHundred) world.clock.pass(3_600_000)
    const go = waiting.get(next)
    waiting.delete(next)
    go?.()
  }
  isOver = true
  world.clock.pass(3_600_000)
  await goOn(stage, { runs, found })
  return ended(stage, runs, found)
}
