import type { Phase } from '../model/run.js'
import type { RunPorts } from '../workflow/run-ports.js'
import { narrow, type Turn } from './narrow.js'

/**
 * Hundreds of sites may be waited for at once, and some take turns to be planned and sent: that is what needs memory, and who
 * dies then leaves few requests whose end nobody knows. Each phase has turns of its own, for a site that was left by a dead
 * worker is not to wait for all those that are nearly done.
 */
const mostAtOnce: Readonly<Record<Phase, number>> = {
  observe: 20,
  configure: 20,
  wait: Number.POSITIVE_INFINITY,
  update: 20,
}

type Timed = Pick<RunPorts, 'steps' | 'clock'>

/** Gives each run steps that take turns with those of others, and a clock on which nobody sleeps within a turn. */
export function turns(): (ports: Timed) => Timed {
  const phases = new Map(Object.entries(mostAtOnce).map(([phase, most]) => [phase, narrow(most)]))
  return ({ steps, clock }) => {
    let turn: Turn | undefined
    return {
      steps: {
        ...steps,
        run(name, step) {
          const inTurn = phases.get(name.split(' ')[0] ?? '')
          if (inTurn === undefined) return steps.run(name, step)
          return inTurn(mine => {
            turn = mine
            return steps.run(name, step)
          })
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
