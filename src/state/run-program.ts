import { spawn } from 'node:child_process'

/** The end of a run of a program. */
export interface ProgramEnd {
  readonly code: number | 'not-found' | 'too-slow'
  readonly stdout: Buffer
  /** Untrusted, and may contain credentials. */
  readonly stderr: string
}

interface ProgramOptions {
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Time after which a run is stopped. */
  readonly deadlineMs: number
  readonly input?: string
}

/** Runs a program with arguments that no shell interprets. No other code in `state/` starts programs. */
export function runProgram(
  program: string,
  args: readonly string[],
  { folder, environment, deadlineMs, input = '' }: ProgramOptions,
): Promise<ProgramEnd> {
  return new Promise(resolve => {
    // In its own process group, so that an interrupt reaches only Landform, which may still have to write.
    const child = spawn(program, args, { cwd: folder, env: environment, detached: true, windowsHide: true })
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    const end = (code: ProgramEnd['code']) => {
      clearTimeout(timer)
      resolve({ code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString('utf8') })
    }
    const timer = setTimeout(() => {
      stop(child.pid)
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
      end('too-slow')
    }, deadlineMs)
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.once('error', () => end('not-found'))
    child.once('close', code => end(code ?? 'too-slow'))
    // A program may end before reading all input; its exit code gives the reason.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}

function stop(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // The process has just ended.
  }
}
