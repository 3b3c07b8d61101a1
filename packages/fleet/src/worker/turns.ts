import type { Phase } from '../model/run.js'
import type { RunPorts } from '../workflow/run-ports.js'
import { limitConcurrency, type Turn } from './limit-concurrency.js'

/**
 * Maximum number of concurrent steps by phase. A worker waits for hundreds of sites at once, but plans and sends for few,
 * which needs memory. Each phase has its own limit, so a site of a dead worker does not wait for sites that are nearly done.
 */
const maxConcurrent: Readonly<Record<Phase, number>> = {
  observe: 60,
  configure: 60,
  wait: Number.POSITIVE_INFINITY,
  update: 20,
}

/**
 * The same within steps. A worker that dies leaves few requests with an unknown outcome; and one that takes over hundreds of
 * sites opens some after the others, so that those it has opened are not kept waiting.
 */
const maxWithin = { open: 20, send: 20 } as const

type TimedPorts = Pick<RunPorts, 'steps' | 'clock'>
type PortsInTurn = TimedPorts & Required<Pick<RunPorts, 'inTurn'>>

/** Limits the steps of all runs, and provides a clock whose sleep gives up the turn. */
export function createStepTurns(): (ports: TimedPorts) => PortsInTurn {
  const phases = new Map(
    Object.entries(maxConcurrent).map(([phase, most]) => [phase, limitConcurrency(most)]),
  )
  const within = { open: limitConcurrency(maxWithin.open), send: limitConcurrency(maxWithin.send) }
  return ({ steps, clock }) => {
    let turn: Turn | undefined
    return {
      inTurn: (what, work) => within[what](() => work()),
      steps: {
        ...steps,
        run(name, step) {
          const inTurn = phases.get(name.split(' ')[0] ?? '')
          if (inTurn === undefined) return steps.run(name, step)
          // In the step: a result that is recorded already needs no turn, and no site waits behind those that need one.
          const work = () =>
            inTurn(mine => {
              turn = mine
              return step()
            })
          return steps.run(name, work)
        },
      },
      clock: {
        ...clock,
        sleep: (ms, signal) =>
          turn === undefined ? clock.sleep(ms, signal) : turn.aside(() => clock.sleep(ms, signal)),
      },
    }
  }
}
