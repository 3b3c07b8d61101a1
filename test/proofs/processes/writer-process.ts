import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../../support/manifests.js'
import type { Place } from './landform-process.js'

export const stateWriter = join(root, 'dist', 'test', 'proofs', 'processes', 'state-writer.js')

/** The kind of a writer; `naive`, `naive table` and `rewriting` are controls. */
export type WriterKind = Place['kind'] | 'naive' | 'naive table' | 'rewriting'

export interface WriterProcess {
  readonly child: ChildProcess
  /** All printed lines: `ready`, then one for each version. */
  readonly lines: readonly string[]
  readonly ended: Promise<unknown>
  /** Requests versions, as `FROM TO`, and returns the next printed line. */
  ask(question: string): Promise<string>
}

export interface WriterOptions {
  readonly bytes?: number
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts a writer in a folder, at a location or in a database. */
export async function writerProcess(
  kind: WriterKind,
  place: string,
  { bytes = 0, environment = {} }: WriterOptions = {},
): Promise<WriterProcess> {
  const child = spawn(process.execPath, [stateWriter, kind, place, String(bytes)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...environment, LANDFORM_DATABASE_URL: place },
  })
  child.stdin.on('error', () => undefined)
  const lines: string[] = []
  const waiting: ((line: string) => void)[] = []
  const ended = once(child, 'close')
  createInterface({ input: child.stdout }).on('line', line => {
    lines.push(line)
    waiting.shift()?.(line)
  })
  const next = () => new Promise<string>(resolve => waiting.push(resolve))
  await next()
  return {
    child,
    lines,
    ended,
    ask(question) {
      const answer = next()
      child.stdin.write(`${question}\n`)
      return answer
    },
  }
}
