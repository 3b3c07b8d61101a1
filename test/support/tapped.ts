import type { RequestPart, ServedRequest } from '../../src/emulator/server.js'

/** A received request, before redaction. */
interface TappedRequest {
  readonly method: string
  readonly path: string
  readonly operation: string
  readonly contentType: string
  readonly parts: readonly RequestPart[]
  readonly accepted: boolean
}

/** Returns an `inspect` callback for an emulator, and the requests that it receives. */
export function tap() {
  const requests: TappedRequest[] = []
  const inspect = ({ received: { request, path, contentType }, delivery: { accepted } }: ServedRequest) => {
    const { method, target, query, body } = request
    requests.push({
      method,
      path,
      operation: target.operation,
      contentType,
      parts: [...query, ...body.parts],
      accepted,
    })
  }
  return { inspect, requests }
}
