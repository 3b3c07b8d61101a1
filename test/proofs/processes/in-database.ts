import { setTimeout } from 'node:timers/promises'
import type { PostgresServer } from '../../support/postgres.js'
import { rowsOf } from '../../support/postgres-rows.js'
import { broughtToEnd, judged } from './brought-to-end.js'
import { landformApply, type Place, startedApply } from './landform-process.js'
import { type Stop, stoodStill, whileOneStands } from './race.js'
import type { RealSites } from './real-site.js'
import { writerProcess } from './writer-process.js'
import { textOfVersion, writtenSite } from './written.js'

/**
 * Stops the run that has the site, for longer than its lease: another takes over at once, whatever the first one had under
 * way. Then the first wakes, or is killed, and the matter is brought to its end.
 */
export async function overtaken(
  place: Place,
  sites: RealSites,
  { point, then }: Stop,
): Promise<readonly string[]> {
  const { connection = '', url } = place
  return whileOneStands(place, point, async still => {
    const before = await sites.counted(url)
    await rowsOf(
      connection,
      'update landform.session set lease_ms = 0 where id in (select session from landform.hold where site = $1)',
      [url],
    )
    const late = await landformApply(place, { seconds: 1 })
    const found = late === 7 ? ['a run waited for one whose lease was over'] : []
    const taken = await judged(place, sites, { exitCode: late, before })
    const first = await still[then]()
    const end = await broughtToEnd(place, sites, { first, before: taken.counted, seconds: 5 })
    return [...found, ...taken.violations, ...end.violations]
  })
}

/** How long it takes, in milliseconds, until another run may have a site whose process was killed. */
export async function freedAfterMs(place: Place): Promise<number> {
  const { connection = '', url } = place
  const still = await stoodStill(place, 'after add 1')
  const [row] = await rowsOf(
    connection,
    'select backend from landform.session where id in (select session from landform.hold where site = $1)',
    [url],
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
  /** Versions that a writer was told are there. */
  readonly acknowledged: number
  readonly violations: readonly string[]
}

/**
 * Kills the server under a writer whenever that has gone on: what the writer was told is there, and it never loses to
 * itself.
 */
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
    .map(line => `the writer said "${line}"`)
  if (rows.length < answers.length) found.push(`${answers.length - rows.length} versions are gone`)
  for (const [at, { serial, body }] of rows.entries())
    if (serial !== at + 1 || (body as Buffer).toString('utf8') !== textOfVersion(at + 1, 2000))
      found.push(`version ${at + 1} is another`)
  return { acknowledged: answers.length, violations: found }
}

/** Kills the server under an apply, starts it again, and brings the matter to its end. */
export async function appliedThrough(
  server: PostgresServer,
  [place, sites]: readonly [Place, RealSites],
  afterMs: number,
): Promise<{ readonly codes: readonly unknown[]; readonly violations: readonly string[] }> {
  const child = startedApply(place)
  const end = new Promise<number | null>(resolve => child.once('exit', resolve))
  await setTimeout(afterMs)
  await server.kill()
  await server.restart()
  const first = (await end) as 0 | null
  return broughtToEnd(place, sites, { first: first ?? 'crashed', seconds: 5 })
}
