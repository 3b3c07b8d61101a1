import type { Replay } from '../evidence/replay.js'
import type { Delivery } from './faults/delivery.js'
import type { ServiceRequest } from './service/request.js'

/** The answer of a replay to a request; the emulated service sees nothing of it. */
export function replayDelivery(replay: Replay, request: ServiceRequest, basePath: string): Delivery {
  const { method, bearer, query, path = 'unknown' } = request
  const answer = replay({
    method,
    path,
    whole: `${basePath}${path}`,
    signedIn: bearer !== undefined || query.some(({ name }) => name === 'token'),
  })
  const carried = { carriedOut: 0, accepted: false }
  if (answer.kind === 'none') return { ...carried, ending: { kind: 'silence', end: 'close' } }
  const { status: httpStatus, headers, text } = answer
  const content = { kind: 'bytes', bytes: Buffer.from(text) } as const
  return { ...carried, ending: { kind: 'answer', httpStatus, headers, content } }
}
