// Loaded before the program, with `--import`: when it ends by itself, it writes what it needed to the file that the stage names.
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** What a process needed in its whole life. */
export interface OwnFigures {
  /** The most memory that it ever had. */
  readonly peakMegabytes: number
  /** The longest that anything waited for the process to be idle. */
  readonly longestDelayMs: number
  /** The same, but for one time in a hundred. */
  readonly usualDelayMs: number
}

const file = process.env['STAGE_FIGURES']
const resolution = 10

if (file !== undefined) {
  const delays = monitorEventLoopDelay({ resolution })
  delays.enable()
  // A delay holds the interval, too.
  const ms = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution)
  process.on('exit', () => {
    const figures: OwnFigures = {
      peakMegabytes: process.resourceUsage().maxRSS / 1024,
      longestDelayMs: ms(delays.max),
      usualDelayMs: ms(delays.percentile(99)),
    }
    writeFileSync(file, JSON.stringify(figures))
  })
}
