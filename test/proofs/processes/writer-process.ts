import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../../support/manifests.js'

/** The program that writes the versions that it is told. */
export const stateWriter = join(root, 'dist', 'test', 'proofs', 'processes', 'state-writer.js')

/** How it writes; two in a database, and two in ways that are found out. */
export type WriterKind =
  | 'file'
  | 'git'
  | 'postgres'
  | 's3'
  | 'kubernetes'
  | 'naive'
  | 'naive table'
  | 'rewriting'

/** A writer that is ready. */
export interface WriterProcess {
  readonly child: ChildProcess
  /** What it has answered, a line for each version. */
  readonly lines: readonly string[]
  readonly ended: Promise<unknown>
  /** Tells it to write, and gives its next answer. */
  ask(question: string): Promise<string>
}

/** The size of its texts, and credentials. */
export interface WriterOptions {
  readonly bytes?: number
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts one of a kind in a place, a folder or a connection string, which writes texts with so many bytes. */
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
