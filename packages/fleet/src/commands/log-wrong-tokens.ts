import type { Host } from 'landform/cli'
import type { ReportWrongToken } from '../ui/sign-in.js'

const secondMs = 1000

/** Prints who sent wrong tokens, at most once per second; those in between are counted. */
export function logWrongTokens({ clock, stderr }: Pick<Host, 'clock' | 'stderr'>): ReportWrongToken {
  let count = 0
  let printedAt = Number.NEGATIVE_INFINITY
  return address => {
    count += 1
    if (clock.monotonicMs() - printedAt < secondMs) return
    printedAt = clock.monotonicMs()
    stderr.print(`${new Date(clock.now()).toISOString()} wrong token from ${address} (${count} so far)\n`)
  }
}
