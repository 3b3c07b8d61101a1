import type { RequestPart, ServedRequest } from '../../src/emulator/server.js'

/** A request as it came, before anything of it was masked. */
interface TappedRequest {
  readonly method: string
  readonly path: string
  readonly operation: string
  readonly contentType: string
  readonly parts: readonly RequestPart[]
  readonly accepted: boolean
}

/** What an emulator gets as `inspect`, and the requests it was shown. */
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
