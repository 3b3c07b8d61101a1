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
