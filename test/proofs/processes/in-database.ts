import { setTimeout } from 'node:timers/promises'
import type { PostgresServer } from '../../support/postgres.js'
import { rowsOf } from '../../support/postgres-rows.js'
import { judge } from '../judge/judge.js'
import { bringToEnd, factsAt, type Judged } from './bring-to-end.js'
import { type Place, runApply, startApply } from './landform-process.js'
import { type Stop, suspendAt, whileSuspended } from './race.js'
import type { RealSites } from './real-site.js'
import { writerProcess } from './writer-process.js'
import { textOfVersion, writtenSite } from './written.js'

/**
 * Suspends the run that holds the lock, and ends its lease: another run takes over at once. Then the first run is resumed or
 * killed, and further runs complete the site.
 */
export async function overtake(
  place: Place,
  sites: RealSites,
  { point, then }: Stop,
): Promise<readonly string[]> {
  const { url } = place
  return whileSuspended(place, point, async still => {
    const before = await sites.counted(url)
    await rowsOf(
      connectionOf(place),
      'update landform.session set lease_ms = 0 where id in (select session from landform.hold where site = $1)',
      [url],
    )
    const late = await runApply(place, { seconds: 1 })
    const found = late.exitCode === 7 ? ['I5: a run was rejected by a lock whose lease had expired'] : []
    const taken = await factsAt(place, sites, { ...late, before })
    const first = await still[then]()
    const end = await bringToEnd(place, sites, { first, before: taken.site, seconds: 5 })
    return [...found, ...judge(taken), ...end.violations]
  })
}

function connectionOf({ environment }: Place): string {
  return environment?.['LANDFORM_DATABASE_URL'] ?? ''
}

/** Measures how long the database keeps the lock of a killed process, in milliseconds. */
export async function measureLockMs(place: Place): Promise<number> {
  const connection = connectionOf(place)
  const still = await suspendAt(place, 'after add 1')
  const [row] = await rowsOf(
    connection,
    'select backend from landform.session where id in (select session from landform.hold where site = $1)',
    [place.url],
  )
  const ended = still.dies()
  const from = performance.now()
  for (;;) {
    const left = await rowsOf(connection, 'select from pg_locks where pid = $1', [row?.['backend']])
    if (left.length > 0) continue
    await ended
    return performance.now() - from
  }
}

export interface Crashed {
  /** The number of versions that the server acknowledged. */
  readonly acknowledged: number
  readonly violations: readonly string[]
}

/** Kills the server repeatedly while a writer writes: every version that it acknowledged must exist, in order. */
export async function crashed(
  server: PostgresServer,
  connection: string,
  afterMs: readonly number[],
): Promise<Crashed> {
  const writer = await writerProcess('postgres', connection, { bytes: 2000 })
  void writer.ask('1 1000000')
  for (const waitMs of afterMs) {
    const before = writer.lines.length
    while (writer.lines.length === before) await setTimeout(20)
    await setTimeout(waitMs)
    await server.kill()
    await server.restart()
  }
  writer.child.kill('SIGKILL')
  await writer.ended
  const rows = await rowsOf(
    connection,
    'select serial, body from landform.state where site = $1 order by serial',
    [writtenSite],
  )
  const answers = writer.lines.slice(1)
  const found = answers
    .filter((line, at) => line !== `${at + 1} made`)
    .map(line => `I4: the writer reported "${line}"`)
  const value = rows.map(({ serial, body }) => ({
    serial: serial as number,
    text: (body as Buffer).toString('utf8'),
  }))
  const textOf = (serial: number) => textOfVersion(serial, 2000)
  const versions = { made: answers.length, kept: { ok: true, value }, textOf } as const
  return { acknowledged: answers.length, violations: [...found, ...judge({ versions })] }
}

/** Kills the server during an apply, restarts it, and completes the site with further runs. */
export async function applyThroughKill(
  server: PostgresServer,
  [place, sites]: readonly [Place, RealSites],
  afterMs: number,
): Promise<Judged> {
  const child = startApply(place)
  const end = new Promise<number | null>(resolve => child.once('exit', resolve))
  await setTimeout(afterMs)
  await server.kill()
  await server.restart()
  const first = (await end) as 0 | null
  return bringToEnd(place, sites, { first: first ?? 'crashed', seconds: 5 })
}
