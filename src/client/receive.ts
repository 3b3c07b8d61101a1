import type { Dispatcher } from 'undici'
import { createCodeError } from './limit.js'

/** An answer as it came. */
export interface Received {
  readonly status: number
  readonly headers: Dispatcher.ResponseData['headers']
  /** Missing where they are compressed, which nobody asked for. */
  readonly bytes?: Buffer
}

/** Until when an answer may come, and how much of it. */
interface Bounds {
  readonly signal: AbortSignal
  readonly maxBytes: number
}

/**
 * Sends a request and receives the answer, with no stream between: that would take a tenth of a poll. Rejects with the error
 * of undici or the reason of the signal, or with the code `ANSWER_TOO_LARGE`.
 */
export function receive(
  client: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { signal, maxBytes }: Bounds,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    let head: Received | undefined
    let begun: Dispatcher.DispatchController | undefined
    const stop = () => begun?.abort(signal.reason)
    signal.addEventListener('abort', stop)
    const end = () => {
      signal.removeEventListener('abort', stop)
      // One of them may hold a token; of the whole its reader takes care.
      for (const chunk of chunks) chunk.fill(0)
    }
    client.dispatch(request, {
      onRequestStart(controller) {
        begun = controller
        if (signal.aborted) stop()
      },
      onResponseStart(controller, status, headers) {
        // What comes before an answer says nothing.
        if (status < 200) return
        head = { status, headers }
        if (/^(?:identity)?$/i.test(firstHeader(headers['content-encoding']) ?? '')) return
        controller.pause()
        end()
        resolve(head)
      },
      onResponseData(controller, chunk) {
        length += chunk.byteLength
        chunks.push(chunk)
        if (length > maxBytes) controller.abort(createCodeError('ANSWER_TOO_LARGE'))
      },
      onResponseEnd() {
        const bytes = Buffer.concat(chunks)
        end()
        if (head !== undefined) resolve({ ...head, bytes })
      },
      onResponseError(_, error) {
        end()
        reject(error)
      },
    })
  })
}

/** A header that is there twice is read once. */
export function firstHeader(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0]
}
