import type { Transport, Transported, TransportRequest } from '../../client/route.js'
import type { Answer, Ending } from '../../emulator/faults/delivery.js'
import { contentLength } from '../../emulator/faults/ending.js'
import { contentBetween } from '../../emulator/http/content.js'
import type { InProcessSite } from '../../emulator/in-process.js'
import type { VirtualClock } from './virtual-clock.js'

/**
 * Carries requests to a site in this process. All that takes time on a socket takes it on the clock of the test: a request
 * that waits longer than its sender does is carried out all the same, when its time has come.
 */
export function transportTo(site: InProcessSite, clock: VirtualClock): Transport {
  return async ({ method, target, headers, bytes, ...limits }) => {
    const { deadlineMs, signal } = limits
    const arrival = await site.arrive({ method, url: target, headers, bytes })
    const { heldMs } = arrival
    if (heldMs >= deadlineMs) {
      clock.later(heldMs, () => arrival.deliver())
      return tooLate(deadlineMs)
    }
    if (heldMs > 0) await clock.sleep(heldMs, signal)
    const ending = arrival.deliver()
    const leftMs = deadlineMs - heldMs
    const neededMs = timeOf(ending)
    if (neededMs >= leftMs) return tooLate(leftMs)
    if (neededMs > 0) await clock.sleep(neededMs, signal)
    return ending.kind === 'answer'
      ? answered(ending, limits)
      : lost(ending.end === 'reset' ? 'ECONNRESET' : closed)

    async function tooLate(milliseconds: number): Promise<Transported> {
      await clock.sleep(milliseconds, signal)
      return lost('no answer in time')
    }
  }
}

/** What undici says of a connection that ended before its time. */
const closed = 'UND_ERR_SOCKET'

function lost(reason: string): Transported {
  return { kind: 'none', reason }
}

function answered(answer: Answer, { mostBytes }: Pick<TransportRequest, 'mostBytes'>): Transported {
  const whole = contentLength(answer)
  const sent = Math.min(whole, answer.cutAfterBytes ?? whole)
  const announced = answer.announcedBytes ?? whole
  if (Math.min(sent, announced) > mostBytes) return lost('ANSWER_TOO_LARGE')
  if (sent < announced) return lost(closed)
  const { httpStatus: status, headers } = answer
  return { kind: 'answer', status, headers, bytes: Buffer.from(contentBetween(answer, 0, announced)) }
}

function timeOf(ending: Ending): number {
  if (ending.kind === 'silence') return ending.end === 'never' ? Number.POSITIVE_INFINITY : 0
  const { waitMs = 0, interim, bytesPerSecond } = ending
  const writingMs = bytesPerSecond === undefined ? 0 : (contentLength(ending) / bytesPerSecond) * 1000
  return waitMs + (interim === undefined ? 0 : interim.count * interim.everyMs) + writingMs
}
