import { display } from './display.js'

/** A request in readable form. */
export interface ShownRequest {
  readonly method: string
  readonly url: string
  readonly contentType: string
  /** The parts or fields in their order; secrets and files are replaced by a description of their source. */
  readonly parts: readonly { readonly name: string; readonly value: string }[]
}

/** Formats requests as they would be sent, one part a line. */
export function formatRequests(requests: readonly ShownRequest[]): string {
  const shown = requests.map(({ method, url, contentType, parts }) =>
    [
      `${method} ${display(url)}`,
      `Content-Type: ${contentType}`,
      '',
      ...parts.map(({ name, value }) => `${display(name)}: ${display(value, Number.POSITIVE_INFINITY)}`),
      '',
    ].join('\n'),
  )
  return shown.join('\n')
}
