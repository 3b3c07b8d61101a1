import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../../support/manifests.js'

/** The program that writes the versions that it is told. */
export const stateWriter = join(root, 'dist', 'test', 'proofs', 'processes', 'state-writer.js')

/** A writer that is ready. */
export interface WriterProcess {
  readonly child: ChildProcess
  /** What it has answered, a line for each version. */
  readonly lines: readonly string[]
  readonly ended: Promise<unknown>
  /** Tells it to write, and gives its next answer. */
  ask(question: string): Promise<string>
}

/** Starts one of a kind in a place, which writes texts with so many bytes. */
export async function writerProcess(
  kind: 'file' | 'git' | 'naive' | 'rewriting',
  place: string,
  bytes = 0,
): Promise<WriterProcess> {
  const child = spawn(process.execPath, [stateWriter, kind, place, String(bytes)], {
    stdio: ['pipe', 'pipe', 'inherit'],
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
