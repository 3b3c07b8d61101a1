import { setTimeout } from 'node:timers/promises'
import type { StateBackend } from '../../../src/state/series.js'
import type { StateReply } from '../../../src/state/state-failure.js'
import type { RecordedAnswer } from '../../support/answers/recorded.js'
import type { Place } from '../processes/landform-process.js'

/** A response of a server, and the result that the state backend must return for it. */
export interface Situation {
  readonly row: Row
  readonly expected: string
  come(): Promise<string>
}

/** The rows of the table. A backend has situations for each, or a reason why it has none. */
export const rows = [
  'empty list',
  'list in pages',
  'version exists (409, 412)',
  'version missing (404)',
  'place missing (404)',
  'wrong credentials (401)',
  'no permission (403)',
  'too many requests (429)',
  'unavailable (503)',
  'server killed and started again',
  'expired (410)',
  'too large (413, 422)',
  'full',
] as const

export type Row = (typeof rows)[number]

/** A state backend and a real server for it. */
export interface RealBackend {
  readonly server: string
  readonly version: string
  /** Creates the place of a run, with its state on the server. */
  place(folder: string, url: string): Promise<Place>
  readonly situations: readonly Situation[]
  /** The reasons why rows have no situation. */
  readonly without: Readonly<Partial<Record<Row, string>>>
  /** Sends every request whose response the backend depends on, and yields these responses by name. */
  answers(): AsyncGenerator<readonly [name: string, answer: RecordedAnswer]>
  stop(): Promise<void>
}

/** A state backend whose server can be started if it is installed. */
export interface RealServer {
  /** The name of its recording in `test/recorded/`. */
  readonly recording: string
  readonly packages: string
  isHere(): Promise<boolean>
  /** Starts the server, with its files in the folder. */
  start(folder: string): Promise<RealBackend>
}

/** Formats the result of a call to a backend. */
export function outcome(reply: StateReply<unknown>): string {
  if (reply.ok) return JSON.stringify(reply.value) ?? 'nothing'
  const { kind, reason } = reply.error
  if ('cause' in reason) return `${kind}: ${reason.cause}`
  return `${kind}: ${reason.kind === 'reported' ? reason.text : reason.kind}`
}

export const site = 'https://gis.example.org/arcgis/admin'

/** The situations of a site without state, which every backend must handle alike. */
export function commonSituations(open: () => StateBackend): readonly Situation[] {
  const series = () => open().series(site)
  return [
    {
      row: 'empty list',
      expected: 'nothing []',
      come: async () => [await series().newest(), await series().all()].map(outcome).join(' '),
    },
    {
      row: 'version missing (404)',
      expected: 'damaged: missing-version',
      come: async () => outcome(await series().add({ serial: 2, text: '{}' })),
    },
    {
      row: 'version exists (409, 412)',
      expected: 'true false {"serial":1,"text":"{}"}',
      async come() {
        const [first, second] = [series(), series()]
        const made = [await first.add({ serial: 1, text: '{}' }), await second.add({ serial: 1, text: '{}' })]
        return [...made, await second.newest()].map(outcome).join(' ')
      },
    },
  ]
}

interface Adding {
  readonly versions?: number
  meanwhile?(): Promise<void>
}

/** Adds versions to a separate site while something happens to the server, and formats the results. */
export async function addedWhile(
  backend: StateBackend,
  name: string,
  { versions = 5, meanwhile = async () => undefined }: Adding = {},
): Promise<string> {
  const series = backend.series(`${site}/${name}`)
  const outcomes: string[] = []
  const before = await series.newest()
  if (!before.ok) outcomes.push(outcome(before))
  const done = meanwhile()
  for (let serial = 1; serial <= versions; serial += 1)
    outcomes.push(outcome(await series.add({ serial, text: `{"n":${serial}}` })))
  await done
  const all = await series.all()
  return `${[...new Set(outcomes)].join(' ')} ${all.ok ? all.value.length : outcome(all)}`
}

/** A server that can be limited to one request at a time, and the load on it. */
interface Crowd {
  readonly askers: number
  readonly pauseMs: number
  restart(...options: readonly string[]): Promise<void>
  /** The options that limit it to one request at a time. */
  readonly options: readonly string[]
  /** Sends a request, and returns true if it was rejected. */
  ask(): Promise<boolean>
}

/** Adds versions while others load a server that accepts one request at a time. */
export async function addedUnderLoad(backend: StateBackend, crowd: Crowd): Promise<string> {
  await crowd.restart(...crowd.options)
  let rejected = 0
  let isOver = false
  const load = async () => {
    while (!isOver) {
      if (await crowd.ask()) rejected += 1
      await setTimeout(crowd.pauseMs)
    }
  }
  const added = addedWhile(backend, 'load')
  const loads = Array.from({ length: crowd.askers }, load)
  const end = await added
  isOver = true
  await Promise.all(loads)
  await crowd.restart()
  return rejected > 0 ? end : 'nothing was rejected'
}
