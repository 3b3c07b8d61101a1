import { setTimeout } from 'node:timers/promises'
import { anAuthority, type Certificate } from '../../../support/certificate.js'
import { httpDouble } from '../../../support/http-double.js'
import type { Actor } from '../actor.js'
import { type Found, played, type Size } from '../course.js'
import { aKeptWorker, aWorker, submitted, until, untilAllEnded, untilConfigured } from '../rollout.js'
import type { Stage } from '../stage.js'

const portOf = (connection: string) => Number(new URL(connection).port)

/** Starts two workers, kills the database during the rollout, and starts it again after a while. */
export function withoutDatabase(size: Size, awayMs: number): Promise<Found> {
  const { sites, limit, mostMs } = size
  return played(size, { stageMs: 500 }, async stage => {
    await submitted(stage)
    const workers = ['ada', 'bob'].map(name => aKeptWorker(stage, name, { limit }))
    await untilConfigured(stage, Math.ceil(sites / 3), mostMs)
    await stage.server.kill()
    await setTimeout(awayMs)
    await stage.server.restart()
    await untilAllEnded(stage, mostMs)
    const ends = workers.flatMap(worker => worker.ends)
    await Promise.all(workers.map(worker => worker.stop()))
    return {
      losses: [],
      ends: ends.map(code => ['a worker', code, 7] as const),
    }
  })
}

/** Starts two workers, and drops the tables of the queue twice during the rollout; the second time, also kills a worker. */
export function withoutQueue({ sites, limit, mostMs }: Size, leaseMs: number): Promise<Found> {
  return played({ sites, limit, mostMs }, { stageMs: 500 }, async stage => {
    await submitted(stage)
    const options = { limit: Math.ceil(limit / 2), fleetLimit: limit, lease: `${leaseMs}ms` }
    const [ada, bob] = ['ada', 'bob'].map(name => aWorker(stage, name, options)) as [Actor, Actor]
    await untilConfigured(stage, Math.ceil(sites / 4), mostMs)
    await stage.rows('drop schema dbos cascade')
    await untilConfigured(stage, Math.ceil(sites / 2), mostMs)
    const at = ada.signal('SIGKILL')
    await stage.rows('drop schema dbos cascade')
    await untilAllEnded(stage, mostMs)
    bob.signal('SIGTERM')
    const code = await bob.ended
    await ada.ended
    return { losses: [{ by: 'ada', at }], touchMs: 15_000, ends: [['bob', code, 143]] }
  })
}

/**
 * Kills two workers during the rollout, restores a backup of Landform's schema into a database without one for the queue, and
 * starts another worker. A run that is cancelled meanwhile must end as well.
 */
export function restored({ sites, limit, mostMs }: Size): Promise<Found> {
  return played({ sites, limit, mostMs }, { stageMs: 500 }, async stage => {
    await submitted(stage)
    const dead = ['ada', 'bob'].map(name => aWorker(stage, name, { limit: Math.ceil(limit / 2) }))
    await untilConfigured(stage, Math.ceil(sites / 3), mostMs)
    for (const worker of dead) worker.signal('SIGKILL')
    await Promise.all(dead.map(({ ended }) => ended))
    await backUpAndRestore(stage)
    const before = await stage.rows<{ name: string }>(`select name from landform.run where state = 'running'`)
    const [name = ''] = before.map(run => run.name).filter(one => one !== `site-${sites}`)
    const cancel = await stage.run(['fleet', 'cancel', name, '--yes'])
    const cat = aWorker(stage, 'cat', { limit })
    await untilAllEnded(stage, mostMs)
    const [ended] = await stage.rows<{ state: string }>('select state from landform.run where name = $1', [
      name,
    ])
    const resume = await stage.run(['fleet', 'resume', name, '--yes'])
    await untilAllEnded(stage, mostMs)
    cat.signal('SIGTERM')
    return {
      losses: [],
      isCountedAtService: false,
      ends: [
        ['cancel', cancel.code, 0],
        ['resume', resume.code, 0],
        ['cat', await cat.ended, 143],
      ],
      violations:
        ended?.state === 'cancelled' || ended?.state === 'ambiguous'
          ? []
          : [`the cancelled site ended as ${ended?.state}`],
    }
  })
}

/** Copies every table of Landform's schema, as a backup does, drops both schemas, and inserts the rows into new tables. */
async function backUpAndRestore(stage: Stage): Promise<void> {
  const tables = ['format', 'state', 'session', 'hold', 'rollout', 'run', 'event']
  await stage.rows('create schema saved')
  for (const table of tables) await stage.rows(`create table saved.${table} as table landform.${table}`)
  await stage.rows('drop schema landform, dbos cascade')
  // Any command creates the tables.
  await stage.run(['fleet', 'status'])
  for (const table of tables.slice(1))
    await stage.rows(`insert into landform.${table} overriding system value table saved.${table}`)
  await stage.rows(
    `select setval(pg_get_serial_sequence('landform.event', 'number'), max(number)) from landform.event`,
  )
  await stage.rows('drop schema saved cascade')
}

/**
 * Starts two workers, and freezes all their open connections to the database without closing them. New connections work: the
 * workers must notice, and continue.
 */
export function halfOpen({ sites, limit, mostMs }: Size, leaseMs: number): Promise<Found> {
  return played({ sites, limit, mostMs }, { stageMs: 500 }, async stage => {
    const proxy = await httpDouble([{ on: 'connection', reply: { pipe: portOf(stage.connection) } }])
    try {
      await submitted(stage)
      const options = { limit, lease: `${leaseMs}ms`, database: proxy.at(stage.connection) }
      const workers = ['ada', 'bob'].map(name => aKeptWorker(stage, name, options))
      await untilConfigured(stage, Math.ceil(sites / 3), mostMs)
      const frozen = proxy.freeze()
      await untilAllEnded(stage, mostMs)
      const ends = workers.flatMap(worker => worker.ends)
      await Promise.all(workers.map(worker => worker.stop()))
      return {
        losses: [],
        isCountedAtService: false,
        ends: ends.map(code => ['a worker', code, 7] as const),
        violations: frozen >= 4 ? [] : [`only ${frozen} connections of two workers were frozen`],
      }
    } finally {
      await proxy.close()
    }
  })
}

/** Starts two workers, and cuts one off from the database for good, without an error. The other must take over its sites. */
export function cutOff({ sites, limit, mostMs }: Size, leaseMs: number): Promise<Found> {
  return played({ sites, limit, mostMs }, { stageMs: 500 }, async stage => {
    let isSilent = false
    const reply = () => (isSilent ? [] : { pipe: portOf(stage.connection) })
    const proxy = await httpDouble([{ on: 'connection', reply }])
    try {
      await submitted(stage)
      const options = { limit, lease: `${leaseMs}ms` }
      const ada = aWorker(stage, 'ada', { ...options, database: proxy.at(stage.connection) })
      const bob = aWorker(stage, 'bob', options)
      await untilConfigured(stage, Math.ceil(sites / 3), mostMs)
      isSilent = true
      proxy.freeze()
      await untilAllEnded(stage, mostMs)
      bob.signal('SIGTERM')
      ada.signal('SIGKILL')
      await Promise.all([ada.ended, bob.ended])
      // The worker may still poll its sites, but must write nothing, because each write needs the database first.
      return { losses: [], cutOff: ['ada'], isCountedAtService: false }
    } finally {
      await proxy.close()
    }
  })
}

const authority = anAuthority('The authority of this fleet')
const itself = { names: ['127.0.0.1'] }

/** Certificates that a client must not accept for the server of the connection string. */
const wrongCertificates = {
  'of another authority': anAuthority('Nobody knows me').issue('127.0.0.1', itself),
  'for another name': authority.issue('elsewhere', { names: ['db.example.org'] }),
  expired: authority.issue('127.0.0.1', { ...itself, until: '210101000000Z' }),
} as const satisfies Readonly<Record<string, Certificate>>

/**
 * Starts two workers over TLS. During the rollout, a server with a wrong certificate responds at the address of the database,
 * and then the right one again. The workers must send nothing to the wrong server, and continue with the right one.
 */
export function wrongCertificate(
  { sites, limit, mostMs }: Size,
  wrong: keyof typeof wrongCertificates,
): Promise<Found> {
  const certificate = authority.issue('127.0.0.1', itself)
  const tls = { certificate, authority }
  return played({ sites, limit, mostMs }, { stageMs: 500, tls }, async stage => {
    await submitted(stage)
    const workers = ['ada', 'bob'].map(name => aKeptWorker(stage, name, { limit, lease: '4s' }))
    await untilConfigured(stage, Math.ceil(sites / 3), mostMs)
    await stage.server.kill()
    const before = stage.server.log().length
    await stage.server.restart(wrongCertificates[wrong])
    const since = () => stage.server.log().slice(before)
    // Each attempt to connect ends with the alert of a worker that does not trust the server.
    await until('both workers have refused the server', mostMs, () => since().split('SSL').length > 4)
    const told = countSignIns(since())
    const control = countSignIns(stage.server.log().slice(0, before))
    await stage.server.kill()
    await stage.server.restart(certificate)
    await untilAllEnded(stage, mostMs)
    const ends = workers.flatMap(worker => worker.ends)
    await Promise.all(workers.map(worker => worker.stop()))
    return {
      losses: [],
      isCountedAtService: false,
      ends: ends.map(code => ['a worker', code, 7, 74] as const),
      violations: [
        ...(told === 0 ? [] : [`I7: ${told} connections signed in to a server with a wrong certificate`]),
        ...(control >= 2 ? [] : [`the log shows only ${control} connections of two workers`]),
      ],
    }
  })
}

/** Counts the connections of Landform that signed in. */
function countSignIns(log: string): number {
  return log.match(/connection authorized: .*application_name=landform/g)?.length ?? 0
}
