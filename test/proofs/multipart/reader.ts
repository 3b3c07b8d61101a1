import type { Value } from './value.js'

/** A request body in a file, and what a parser should find in it. */
export interface BodyFile {
  /** For a person who looks for the cause of a difference. */
  readonly description: string
  readonly path: string
  readonly contentType: string
  readonly values: readonly Value[]
}

/** How the length of a body is told; a program that reads files gets all of it at once. */
export type Framing = 'content-length' | 'chunked' | 'file'

/** A parser that runs. */
export interface Reader {
  readonly framings: readonly Framing[]
  /** Rejects when the parser refuses the body. */
  read(body: BodyFile, framing: Framing): Promise<readonly Value[]>
  close(): Promise<void>
}

/** A parser that can be started. */
export interface Parser {
  readonly name: string
  /** False when it reads multipart bodies only. */
  readonly readsForms: boolean
  /** Where it is no part of this project: the packages of Debian, and a command that fails when they are absent. */
  readonly needs?: { readonly packages: string; readonly probe: readonly [string, ...string[]] }
  /** True when it takes seconds to start. */
  readonly isSlow?: boolean
  /** `folder` is empty and its own. */
  start(folder: string): Promise<Reader>
}
