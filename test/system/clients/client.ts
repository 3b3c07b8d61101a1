/** A field as a person would give it to a tool: a value, a file whose text is the value, or a file to send. */
export type Field =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly valueFrom: string }
  | { readonly name: string; readonly file: string }

/** A POST; without fields it has no body. */
export interface ClientRequest {
  readonly url: string
  readonly encoding: 'form' | 'multipart'
  readonly fields: readonly Field[]
}

export interface ClientAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** A program that speaks HTTP and that we did not write. */
export interface Client {
  readonly name: string
  /** Where it is no part of Node: the packages of Debian, and a command that fails when they are absent. */
  readonly needs?: { readonly packages: string; readonly probe: readonly [string, ...string[]] }
  get(url: string): Promise<ClientAnswer>
  post(request: ClientRequest): Promise<ClientAnswer>
}
