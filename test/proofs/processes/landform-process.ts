import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ExitCode } from '../../../src/report/exit-code.js'
import { landformProgram } from '../../support/landform-program.js'
import { root } from '../../support/manifests.js'
import { someSecrets } from '../../support/some-secrets.js'
import type { ObjectServer } from './state-server.js'

const runner = `${root}/dist/test/proofs/processes/runner.js`

/** What a process gets of the machine that runs a proof. */
export const environment = { PATH: process.env['PATH'], HOME: '/nonexistent', ...someSecrets }

/** Where a run keeps its state, and what it applies to which site. */
export interface Place {
  readonly kind: 'file' | 'git' | 'postgres' | ObjectServer['kind']
  /** The manifest; state in files is kept beside it. */
  readonly file: string
  readonly url: string
  /** The connection string of the database that the state is in, if it is in one. */
  readonly connection?: string
  /** The server that keeps the state, if one keeps it as objects. */
  readonly server?: ObjectServer
}

/** What is different about a run. */
export interface ApplyOptions {
  /** How long it waits for the site, in seconds. Of what was never sent a run looks for a sign for a minute, if it may. */
  readonly seconds?: number
  /** Where the state is, as `--state` takes it, if it is not where the place says. */
  readonly state?: string
  /** Program and words that start Node there, such as in namespaces of its own. */
  readonly inside?: readonly string[]
  /** What is required before it begins, of `preloads/`. */
  readonly preload?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** The words of `landform apply`, Node and all. */
export function applyWords(
  { kind, file, url, server }: Place,
  { seconds = 60, preload, inside = [], state = server?.location ?? shared[kind] }: ApplyOptions = {},
): readonly string[] {
  const node = [process.execPath, ...(preload === undefined ? [] : ['--require', preloadOf(preload)])]
  const wait = ['--poll-interval', '50ms', '--timeout', `${seconds}s`]
  const kept = state === undefined ? [] : ['--state', state]
  return [...inside, ...node, landformProgram, 'apply', file, '--url', url, ...kept, '--yes', ...wait]
}

const shared = {
  file: undefined,
  git: 'git:origin',
  postgres: 'postgres:env:LANDFORM_DATABASE_URL',
  s3: undefined,
  kubernetes: undefined,
} as const satisfies Record<Place['kind'], string | undefined>

/** What a run there gets: of a database or a server only where it is, and the credentials of it. */
export function environmentOf({ connection, server }: Place): NodeJS.ProcessEnv {
  const database = connection === undefined ? {} : { LANDFORM_DATABASE_URL: connection }
  return { ...environment, ...database, ...server?.environment }
}

/** Starts `landform apply`. */
export function startedApply(
  place: Place,
  options: ApplyOptions = {},
  stdio: StdioOptions = 'ignore',
): ChildProcess {
  const [program = '', ...words] = applyWords(place, options)
  return spawn(program, words, { env: { ...environmentOf(place), ...options.environment }, stdio })
}

/** Runs `landform apply` to its end. */
export async function landformApply(place: Place, options: ApplyOptions = {}): Promise<ExitCode> {
  return (await toldApply(place, options)).code
}

/** Runs `landform apply` to its end, and returns what it wrote to stderr, too. */
export async function toldApply(
  place: Place,
  options: ApplyOptions = {},
): Promise<{ readonly code: ExitCode; readonly stderr: string }> {
  const child = startedApply(place, options, ['ignore', 'ignore', 'pipe'])
  const [[code], stderr] = await Promise.all([once(child, 'close'), text(child.stderr as Readable)])
  return { code, stderr }
}

/** A module of `preloads/`. */
export function preloadOf(name: string): string {
  return `${root}/dist/test/proofs/processes/preloads/${name}.js`
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
export function heldApply(place: Place): Held {
  const { kind, file, url, server } = place
  const child = spawn(process.execPath, [runner, kind, file, url, server?.location ?? ''], {
    cwd: root,
    env: environmentOf(place),
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
