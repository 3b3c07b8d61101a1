import type { ApplyEvent } from '../../apply/event.js'
import { formatClock } from '../../report/duration.js'
import { describeChange, describeEvent } from '../../report/event-text.js'
import type { Host } from '../host.js'
import { stepFolds } from './step-folds.js'
import type { Progress } from './watched-clock.js'

/** A job that is silent for longer is taken for dead by some CI systems. Longer than the pause between heartbeats. */
const silenceMs = 31_000

/** What is news even where little is to be printed. */
const trouble: readonly string[] = [
  'outcome-unknown',
  'observation-failed',
  'stage-stalled',
] satisfies ApplyEvent['type'][]

/** One line a change, with the time since the start; quiet leaves out all but trouble and the end. */
export function plainLines(host: Host, quiet: boolean): Progress {
  const { clock, stderr } = host
  const startedMs = clock.monotonicMs()
  const folds = quiet ? undefined : stepFolds(host)
  let saidMs = startedMs
  const say = (line: string) => {
    saidMs = clock.monotonicMs()
    // Texts of the service never begin a line: what CI systems obey stands at its begin.
    stderr.write(`${formatClock(saidMs - startedMs)} ${line}\n`)
  }
  const stop = host.every(1000, () => {
    if (!quiet && clock.monotonicMs() - saidMs >= silenceMs) say('still waiting for an answer')
  })
  return {
    show(event) {
      folds?.before(event)
      if (event.type !== 'stream-finished' && (!quiet || trouble.includes(event.type)))
        for (const line of linesOf(event)) say(line)
      folds?.after(event)
    },
    end() {
      stop()
      folds?.close()
    },
  }
}

function linesOf(event: ApplyEvent): readonly string[] {
  return event.type === 'stages-changed' && event.changed.length > 0
    ? event.changed.map(describeChange)
    : [describeEvent(event)]
}
