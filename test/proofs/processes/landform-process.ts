import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import type { ExitCode } from '../../../src/cli/exit-code.js'
import { landformProgram } from '../../support/landform-program.js'
import { root } from '../../support/manifests.js'
import { someSecrets } from '../../support/some-secrets.js'

const runner = `${root}/dist/test/proofs/processes/runner.js`
const environment = { PATH: process.env['PATH'], HOME: '/nonexistent', ...someSecrets }

/** Where a run keeps its state, and what it applies to which site. */
export interface Place {
  readonly kind: 'file' | 'git'
  /** The manifest; state in files is kept beside it. */
  readonly file: string
  readonly url: string
}

/** Runs `landform apply` to its end. */
export async function landformApply({ kind, file, url }: Place): Promise<ExitCode> {
  const state = kind === 'git' ? ['--state', 'git:origin'] : []
  const words = [
    'apply',
    file,
    '--url',
    url,
    ...state,
    '--yes',
    '--poll-interval',
    '50ms',
    '--timeout',
    '60s',
  ]
  const child = spawn(process.execPath, [landformProgram, ...words], { env: environment, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  return code as ExitCode
}

/** A run that stands still before and after each thing that it does. */
export interface Held {
  readonly child: ChildProcess
  /** The next point, at which it stands; `undefined` once it has ended. */
  next(): Promise<string | undefined>
  go(): void
  readonly ended: Promise<unknown>
}

/** Starts such a run. */
export function heldApply({ kind, file, url }: Place): Held {
  const child = spawn(process.execPath, [runner, kind, file, url], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
  })
  const [, , , told, go] = child.stdio
  // Who kills it may meanwhile have told it to go on.
  for (const pipe of [told, go]) pipe?.on('error', () => undefined)
  const lines = createInterface({ input: told as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  return {
    child,
    async next() {
      const line = await lines.next()
      return line.done === true ? undefined : line.value
    },
    go: () => {
      ;(go as Writable).write('.')
    },
    ended: once(child, 'exit'),
  }
}
