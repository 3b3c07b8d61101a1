// The parts that the tests use of a package without types.
declare module 'busboy' {
  import type { Readable, Writable } from 'node:stream'

  interface Busboy extends Writable {
    on(event: 'field', listener: (name: string, value: string) => void): this
    on(event: 'file', listener: (name: string, stream: Readable) => void): this
    on(event: string, listener: (...values: readonly unknown[]) => void): this
  }
  function busboy(options: { headers: { 'content-type': string }; limits: { fieldSize: number } }): Busboy
  export = busboy
}
