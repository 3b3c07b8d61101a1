import { limitConcurrency } from '../../packages/fleet/src/worker/limit-concurrency.js'
import { createStepTurns } from '../../packages/fleet/src/worker/turns.js'
import type { WorkflowSteps } from '../../packages/fleet/src/workflow/steps.js'
import { systemClock } from '../../src/library/system-ports.js'

const steps: WorkflowSteps = { run: (_, step) => step(), sleep: async () => undefined }

/** Sites of one worker, each of which begins a step of this name and stays there. */
function hanging(name: string, sites: number) {
  const inTurn = createStepTurns()
  let begun = 0
  const never = async () => {
    begun += 1
    return new Promise<never>(() => undefined)
  }
  for (let site = 0; site < sites; site += 1)
    void inTurn({ steps, clock: systemClock }).steps.run(`${name} 1`, never)
  return { inTurn, begun: () => begun }
}

const soon = () => new Promise(resolve => setImmediate(resolve))

test('sixty sites are planned at once, however many hang, and any number is waited for', async () => {
  const configured = hanging('configure', 80)
  const waited = hanging('wait', 500)
  await soon()
  expect([configured.begun(), waited.begun()]).toEqual([60, 500])
})

test.each(['open', 'send'] as const)('twenty sites are in their turn at once: %s', async what => {
  const inTurn = createStepTurns()
  let begun = 0
  for (let site = 0; site < 50; site += 1)
    void inTurn({ steps, clock: systemClock }).inTurn(what, async () => {
      begun += 1
      await new Promise(() => undefined)
    })
  await soon()
  expect(begun).toBe(20)
})

test('a site is looked at first however many others are about to end', async () => {
  const { inTurn } = hanging('update', 50)
  expect(await inTurn({ steps, clock: systemClock }).steps.run('observe 1', async () => 'seen')).toBe('seen')
})

test('nobody waits for one that sleeps between two looks', async () => {
  const inTurn = createStepTurns()
  const { signal } = new AbortController()
  for (let site = 0; site < 40; site += 1) {
    const one = inTurn({ steps, clock: { ...systemClock, sleep: () => new Promise(() => undefined) } })
    void one.steps.run('update 1', () => one.clock.sleep(1000, signal))
  }
  await soon()
  expect(await inTurn({ steps, clock: systemClock }).steps.run('update 1', async () => 'done')).toBe('done')
})

test('a result that is recorded already is read at once, however many sites hang', async () => {
  const { inTurn } = hanging('configure', 80)
  const recorded: WorkflowSteps = { ...steps, run: async <T>() => 'recorded' as T }
  const one = inTurn({ steps: recorded, clock: systemClock })
  expect(await one.steps.run('configure 1', async () => 'sent again')).toBe('recorded')
})

test('no more than so many work at once, each in its turn, and one that fails makes room like any other', async () => {
  const inTurn = limitConcurrency(2)
  const seen: string[] = []
  const work = (name: string, end: () => void = () => undefined) =>
    inTurn(async () => {
      seen.push(`${name} begins`)
      await Promise.resolve()
      seen.push(`${name} ends`)
      end()
    }).catch((error: Error) => seen.push(error.message))
  const fail = () => {
    throw new Error('b failed')
  }
  await Promise.all([work('a'), work('b', fail), work('c'), work('d')])
  expect(seen.indexOf('c begins')).toBeGreaterThan(seen.indexOf('a ends'))
  expect(seen.indexOf('d begins')).toBeGreaterThan(seen.indexOf('b ends'))
  expect(seen).toEqual(expect.arrayContaining(['b failed', 'c ends', 'd ends']))
})

test('who has nothing to do steps aside, and waits for a turn again', async () => {
  const inTurn = limitConcurrency(1)
  const seen: string[] = []
  let wake: () => void = () => undefined
  const first = inTurn(async turn => {
    seen.push('a sleeps')
    await turn.aside(() => new Promise<void>(resolve => (wake = resolve)))
    seen.push('a goes on')
  })
  await inTurn(async () => {
    seen.push('b works')
    wake()
    await Promise.resolve()
    seen.push('b ends')
  })
  await first
  expect(seen).toEqual(['a sleeps', 'b works', 'b ends', 'a goes on'])
})
