import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import type { EmulatorOptions } from '../../../src/emulator/emulated-site.js'
import { startEmulator } from '../../../src/emulator/server.js'

export type Value = string | File
/** The values of a request by name; a list sends the name several times, `undefined` omits it. */
export type Values = Readonly<Record<string, Value | readonly Value[] | undefined>>

/** A request as any program could send it. Default: POST, and no body without `form`, `multipart` or `text`. */
export interface Ask {
  readonly path: string
  readonly method?: string
  readonly form?: Values
  readonly multipart?: Values
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The parameters that differ from those of an accepted request; a rejection must name one of them. */
  readonly changed?: readonly string[]
}

export interface Answer {
  readonly httpStatus: number
  readonly contentType: string | null
  readonly text: string
  readonly body: unknown
}

/** The service and its history before a request. */
export interface Given extends EmulatorOptions {
  /** The requests that it accepted before. */
  readonly before?: readonly Ask[]
  /** The time since then. */
  readonly passedMs?: number
}

export interface Service {
  readonly url: string
  readonly ask: (request: Ask) => Promise<Answer>
  readonly wait: (elapsedMs: number) => void
  /** The number of webhooks of a service, which no operation of the document reports. */
  readonly webhooksOf: (service: string) => number | undefined
}

export interface OpenService extends Service {
  readonly close: () => Promise<void>
}

/** 2026-03-04 05:06:07 UTC. */
export const begin = Date.UTC(2026, 2, 4, 5, 6, 7)

/** Longer than any configuration in these tests. */
export const longMs = 3_600_000

/** Starts a service, passes it to `use`, and closes it. */
export async function withService(given: Given, use: (service: Service) => Promise<void>): Promise<void> {
  const service = await startService(given)
  try {
    await use(service)
  } finally {
    await service.close()
  }
}

/** Starts a service with its history. The caller has to close it. */
export async function startService(given: Given): Promise<OpenService> {
  const { before = [], passedMs = 0, ...options } = given
  let now = begin
  const emulator = await startEmulator({ now: () => now, stageMs: 1000, ...options })
  const service: OpenService = {
    url: emulator.url,
    ask: request => ask(emulator.url, request),
    wait: elapsedMs => {
      now += elapsedMs
    },
    webhooksOf: name => emulator.world().webhooks?.get(name),
    close: () => emulator.close(),
  }
  for (const request of before) expect((await service.ask(request)).body).not.toHaveProperty('error')
  service.wait(passedMs)
  return service
}

/** Uses `node:http`, since `fetch` takes several times as long, with thousands of requests. */
async function ask(url: string, request: Ask): Promise<Answer> {
  const { path, method = 'POST', headers = {} } = request
  const body = bodyOf(request)
  // Encoded by the platform, as the body of a `fetch` is.
  const encoded = body === undefined ? undefined : new Response(body)
  const bytes = Buffer.from((await encoded?.arrayBuffer()) ?? new ArrayBuffer(0))
  const own = new Headers(encoded?.headers)
  for (const [name, value] of Object.entries(headers)) own.set(name, value)
  if (body !== undefined || method === 'POST') own.set('content-length', `${bytes.length}`)
  const asked = httpRequest(new URL(url + path), { method, headers: Object.fromEntries(own) })
  asked.end(bytes)
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const text = await textOf(response)
  const contentType = response.headers['content-type'] ?? null
  return { httpStatus: response.statusCode ?? 0, contentType, text, body: JSON.parse(text) }
}

function bodyOf({ form, multipart, text }: Ask): string | URLSearchParams | FormData | undefined {
  if (form !== undefined) return filled(new URLSearchParams(), form)
  if (multipart !== undefined) return filled(new FormData(), multipart)
  return text
}

function filled<B extends URLSearchParams | FormData>(body: B, values: Values): B {
  for (const [name, value] of Object.entries(values)) {
    for (const one of value === undefined ? [] : [value].flat()) body.append(name, one as string)
  }
  return body
}
