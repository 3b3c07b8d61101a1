import { setTimeout } from 'node:timers/promises'
import { anAuthority, type Certificate } from '../../../support/certificate.js'
import { httpDouble } from '../../../support/http-double.js'
import { type Found, played, type Size } from '../course.js'
import { aKeptWorker, aWorker, submitted, until, untilAllEnded, untilConfigured } from '../rollout.js'

const portOf = (connection: string) => Number(new URL(connection).port)

/** Starts two workers, kills the database in the middle, and starts it again after a while. */
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

/**
 * Starts two workers, and silences their open connections to the database, all at once and without an end; new connections
 * work. The workers must notice and continue.
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

/** Starts two workers, and cuts one off from the database for good, without an error; the other takes over its sites. */
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
      // The worker may still poll its sites, but writes nothing: each write needs the database first.
      return { losses: [], cutOff: ['ada'], isCountedAtService: false }
    } finally {
      await proxy.close()
    }
  })
}

const authority = anAuthority('The authority of this fleet')
const itself = { names: ['127.0.0.1'] }

/** Certificates of servers other than the one of the connection string. */
const wrongCertificates = {
  'of another authority': anAuthority('Nobody knows me').issue('127.0.0.1', itself),
  'for another name': authority.issue('elsewhere', { names: ['db.example.org'] }),
  expired: authority.issue('127.0.0.1', { ...itself, until: '210101000000Z' }),
} as const satisfies Readonly<Record<string, Certificate>>

/**
 * Starts two workers over TLS. In the middle another server answers at the address of the database, and then the right one
 * again. The workers send the wrong server nothing, and continue with the right one.
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
