// What the tests use of packages that come without types.

declare module 'busboy' {
  import type { IncomingHttpHeaders } from 'node:http'
  import type { Readable, Writable } from 'node:stream'

  interface Busboy extends Writable {
    on(event: 'field', listener: (name: string, value: string) => void): this
    on(event: 'file', listener: (name: string, stream: Readable) => void): this
    on(event: string, listener: (...values: readonly unknown[]) => void): this
  }
  function busboy(options: { headers: IncomingHttpHeaders; limits: { fieldSize: number } }): Busboy
  export = busboy
}

declare module 'formidable' {
  import type { IncomingMessage } from 'node:http'

  type Found<T> = Readonly<Record<string, readonly T[]>>
  export function formidable(options: {
    allowEmptyFiles: boolean
    minFileSize: number
    maxFieldsSize: number
    uploadDir: string
  }): {
    parse(request: IncomingMessage): Promise<[Found<string>, Found<{ readonly filepath: string }>]>
  }
}

declare module 'multer' {
  import type { IncomingMessage } from 'node:http'

  function multer(options: { storage: unknown; limits: { fieldSize: number } }): {
    any(): (request: IncomingMessage, response: unknown, next: (error?: unknown) => void) => void
  }
  namespace multer {
    interface Read extends IncomingMessage {
      readonly body: Readonly<Record<string, string>>
      readonly files: readonly { readonly fieldname: string; readonly buffer: Buffer }[]
    }
    function memoryStorage(): unknown
  }
  export = multer
}

declare module 'multiparty' {
  import type { IncomingMessage } from 'node:http'

  type Found<T> = Readonly<Record<string, readonly T[]>>
  type Done = (error: Error | null, fields: Found<string>, files: Found<{ readonly path: string }>) => void
  export class Form {
    constructor(options: { maxFieldsSize: number; uploadDir: string })
    parse(request: IncomingMessage, done: Done): void
  }
}
