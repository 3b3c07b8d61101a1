import type { Reply } from './failure.js'
import { send } from './http.js'
import type { GetRequest, HttpAnswer, HttpRequest } from './message.js'

/** Sends a GET without a body, whatever else the request may carry at run time; all that readers have of HTTP. */
export function get(request: GetRequest): Promise<Reply<HttpAnswer>> {
  const { method, body, ...rest }: Partial<HttpRequest> & GetRequest = request
  return send({ ...rest, method: 'GET' })
}
