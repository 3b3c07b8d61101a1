import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ExitCode } from '../../../src/report/exit-code.js'
import { landformProgram } from '../../support/landform-program.js'
import { root } from '../../support/manifests.js'
import { someSecrets } from '../../support/some-secrets.js'

const runner = `${root}/dist/test/proofs/processes/runner.js`

/** The environment of every started process. */
export const environment = { PATH: process.env['PATH'], HOME: '/nonexistent', ...someSecrets }

/** A manifest, its site, and the state of the site. */
export interface Place {
  readonly kind: 'file' | 'git' | 'postgres' | 's3' | 'azblob' | 'kubernetes'
  readonly file: string
  readonly url: string
  /** The value of `--state`; absent if the state is beside the manifest. */
  readonly location?: string
  /** The credentials for that location. */
  readonly environment?: Readonly<Record<string, string>>
  /** Reads the versions of the state, oldest first. */
  texts(): Promise<readonly string[]>
}

/** Options of a run. */
export interface ApplyOptions {
  /** The value of `--timeout`, in seconds. A run searches for a sign of a lost request for up to a minute. */
  readonly seconds?: number
  /** The location of the state, if it is not that of the place. */
  readonly state?: string
  /** A command that starts Node, for example in other kernel namespaces. */
  readonly inside?: readonly string[]
  /** The name of a module in `preloads/`, loaded first. */
  readonly preload?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** Builds the command line of `landform apply`, including Node. */
export function applyWords(
  { file, url, location }: Place,
  { seconds = 60, preload, inside = [], state = location }: ApplyOptions = {},
): readonly string[] {
  const node = [process.execPath, ...(preload === undefined ? [] : ['--require', preloadOf(preload)])]
  const wait = ['--poll-interval', '50ms', '--timeout', `${seconds}s`]
  const kept = state === undefined ? [] : ['--state', state]
  return [...inside, ...node, landformProgram, 'apply', file, '--url', url, ...kept, '--yes', ...wait]
}

/** Builds the environment of a run, with the credentials of its state location only. */
export function environmentOf(place: Place): NodeJS.ProcessEnv {
  return { ...environment, ...place.environment }
}

export function startApply(
  place: Place,
  options: ApplyOptions = {},
  stdio: StdioOptions = 'ignore',
): ChildProcess {
  const [program = '', ...words] = applyWords(place, options)
  return spawn(program, words, { env: { ...environmentOf(place), ...options.environment }, stdio })
}

/** The exit code of a run, and its stderr. */
export interface Finished {
  readonly exitCode: ExitCode
  readonly printed: string
}

export async function runApply(place: Place, options: ApplyOptions = {}): Promise<Finished> {
  const child = startApply(place, options, ['ignore', 'ignore', 'pipe'])
  const [[exitCode], printed] = await Promise.all([once(child, 'close'), text(child.stderr as Readable)])
  return { exitCode, printed }
}

/** Returns the path of a module in `preloads/`. */
export function preloadOf(name: string): string {
  return `${root}/dist/test/proofs/processes/preloads/${name}.js`
}

/** A run that pauses before and after each of its effects. */
export interface Held {
  readonly child: ChildProcess
  /** Waits for the next point; `undefined` once the run has ended. */
  next(): Promise<string | undefined>
  go(): void
  /** Continues up to a point, given by its name or by its number from 0. */
  reach(point: string | number): Promise<string | undefined>
  readonly ended: Promise<unknown>
}

export function startHeldApply(place: Place): Held {
  const { kind, file, url, location = '' } = place
  const child = spawn(process.execPath, [runner, kind, file, url, location], {
    cwd: root,
    env: environmentOf(place),
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
  })
  const [, , , told, go] = child.stdio
  // The run may be killed after `go` was written.
  for (const pipe of [told, go]) pipe?.on('error', () => undefined)
  const lines = createInterface({ input: told as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  const held: Held = {
    child,
    async next() {
      const line = await lines.next()
      return line.done === true ? undefined : line.value
    },
    go: () => void (go as Writable).write('.'),
    async reach(wanted) {
      let point = await held.next()
      for (let passed = 0; passed !== wanted && point !== wanted && point !== undefined; passed += 1) {
        held.go()
        point = await held.next()
      }
      return point
    },
    ended: once(child, 'exit'),
  }
  return held
}
