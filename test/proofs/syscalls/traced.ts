import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { preloadOf } from '../processes/landform-process.js'
import { type SystemCall, systemCalls } from './system-calls.js'

/** A Node program under strace. */
export interface Subject {
  readonly words: readonly string[]
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly input?: string
}

export interface Tracing {
  /** The file that strace writes to. */
  readonly file: string
  /** The value of strace's `-e trace=`. */
  readonly calls: string
  /** The value of strace's `-e inject=`, such as `fsync:error=EIO:when=2`. */
  readonly inject?: string
}

export interface Traced {
  readonly code: number | 'crashed'
  readonly stdout: string
  /** The calls of the thread that performs file operations, in order. */
  readonly calls: readonly SystemCall[]
}

/**
 * Runs a program with a single thread for file operations, and traces that thread from its first access to the state. The
 * numbers of its calls then hardly vary between runs, so a chosen call can be made to fail.
 */
export async function traced(subject: Subject, { file, calls, inject }: Tracing): Promise<Traced> {
  const words = ['--require', preloadOf('standing'), ...subject.words]
  const child = spawn(process.execPath, words, {
    env: { ...subject.environment, PROOF_STATE: subject.home, UV_THREADPOOL_SIZE: '1' },
    stdio: ['pipe', 'pipe', 'ignore', 'pipe', 'pipe'],
  })
  const [stdin, stdout, , told, go] = child.stdio as [Writable, Readable, null, Readable, Writable]
  // The process may be killed before it has read everything.
  for (const pipe of [stdin, go]) pipe.on('error', () => undefined)
  stdin.end(subject.input ?? '')
  let said = ''
  stdout.setEncoding('utf8').on('data', text => {
    said += text
  })
  const ended = once(child, 'close')
  const [thread] = await Promise.race([once(told, 'data'), ended])
  const filters = ['-e', `trace=${calls}`, ...(inject === undefined ? [] : ['-e', `inject=${inject}`])]
  const options = ['-p', String(thread).trim(), '-y', '-s', '8', '-o', file, ...filters]
  const strace = spawn('strace', options, { stdio: ['ignore', 'ignore', 'pipe'] })
  const traced = once(strace, 'exit')
  await Promise.race([once(strace.stderr, 'data'), traced])
  ;(go as Writable).write('.')
  const [code] = await ended
  await traced
  return { code: code ?? 'crashed', stdout: said, calls: systemCalls(await readFile(file, 'utf8')) }
}

/** Returns the reason why strace does not work here, or `undefined`. */
export function noStrace(): string | undefined {
  const { status, error } = spawnSync('strace', ['-o', '/dev/null', '-e', 'trace=none', 'true'])
  if (error !== undefined) return 'strace is not installed (Debian: apt-get install strace)'
  return status === 0 ? undefined : 'this machine does not allow a process to trace another'
}
