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

/** The environment that a process gets from the machine that runs a proof. */
export const environment = { PATH: process.env['PATH'], HOME: '/nonexistent', ...someSecrets }

/** A manifest, its site, and the state of the site. */
export interface Place {
  readonly kind: 'file' | 'git' | 'postgres' | 's3' | 'azblob' | 'kubernetes'
  readonly file: string
  readonly url: string
  /** The location of the state, as `--state` takes it; absent where the state is beside the manifest. */
  readonly location?: string
  /** The credentials for that location. */
  readonly environment?: Readonly<Record<string, string>>
  /** Reads the versions of the site, the oldest first. */
  texts(): Promise<readonly string[]>
}

/** What is different about a run. */
export interface ApplyOptions {
  /** How long the run waits for the site, in seconds. A run looks up to a minute for a sign of a lost request. */
  readonly seconds?: number
  /** The location of the state, if it is not that of the place. */
  readonly state?: string
  /** The program and words that start Node, such as in other namespaces. */
  readonly inside?: readonly string[]
  /** A module of `preloads/`, loaded first. */
  readonly preload?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** Builds the words of `landform apply`, Node included. */
export function applyWords(
  { file, url, location }: Place,
  { seconds = 60, preload, inside = [], state = location }: ApplyOptions = {},
): readonly string[] {
  const node = [process.execPath, ...(preload === undefined ? [] : ['--require', preloadOf(preload)])]
  const wait = ['--poll-interval', '50ms', '--timeout', `${seconds}s`]
  const kept = state === undefined ? [] : ['--state', state]
  return [...inside, ...node, landformProgram, 'apply', file, '--url', url, ...kept, '--yes', ...wait]
}

/** Builds the environment of a run: credentials only for the location of its state. */
export function environmentOf(place: Place): NodeJS.ProcessEnv {
  return { ...environment, ...place.environment }
}

/** Starts `landform apply`. */
export function startApply(
  place: Place,
  options: ApplyOptions = {},
  stdio: StdioOptions = 'ignore',
): ChildProcess {
  const [program = '', ...words] = applyWords(place, options)
  return spawn(program, words, { env: { ...environmentOf(place), ...options.environment }, stdio })
}

/** How a run ended, and what it wrote to stderr. */
export interface Finished {
  readonly exitCode: ExitCode
  readonly printed: string
}

/** Runs `landform apply` to its end. */
export async function runApply(place: Place, options: ApplyOptions = {}): Promise<Finished> {
  const child = startApply(place, options, ['ignore', 'ignore', 'pipe'])
  const [[exitCode], printed] = await Promise.all([once(child, 'close'), text(child.stderr as Readable)])
  return { exitCode, printed }
}

/** Gives the path of a module of `preloads/`. */
export function preloadOf(name: string): string {
  return `${root}/dist/test/proofs/processes/preloads/${name}.js`
}

/** A run that stops before and after each of its effects. */
export interface Held {
  readonly child: ChildProcess
  /** Waits for the next point; `undefined` once the run has ended. */
  next(): Promise<string | undefined>
  go(): void
  /** Goes on until a point, by its name or its number from 0. */
  reach(point: string | number): Promise<string | undefined>
  readonly ended: Promise<unknown>
}

/** Starts such a run. */
export function startHeldApply(place: Place): Held {
  const { kind, file, url, location = '' } = place
  const child = spawn(process.execPath, [runner, kind, file, url, location], {
    cwd: root,
    env: environmentOf(place),
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
  })
  const [, , , told, go] = child.stdio
  // The run may be killed after it was told to go on.
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
