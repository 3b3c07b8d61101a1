import { anAuthority, type Certificate } from '../../../support/certificate.js'
import { type Found, played, type Size } from '../course.js'
import { aKeptWorker, submitted, until, untilAllEnded, untilConfigured } from '../rollout.js'

const authority = anAuthority('The authority of this fleet')
const itself = { names: ['127.0.0.1'] }

/** What a server may show that is not the one of the connection string. */
export const wrongCertificates = {
  'of another authority': anAuthority('Nobody knows me').issue('127.0.0.1', itself),
  'for another name': authority.issue('elsewhere', { names: ['db.example.org'] }),
  expired: authority.issue('127.0.0.1', { ...itself, until: '210101000000Z' }),
} as const satisfies Readonly<Record<string, Certificate>>

/**
 * Two workers over TLS; in the middle another server answers at the address of the database, and then the right one again.
 * The workers tell the wrong one nothing, and go on with the right one.
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
      complaints: [
        ...(told === 0 ? [] : [`${told} connections signed in to a server with a wrong certificate`]),
        ...(control >= 2 ? [] : [`the server tells ${control} connections of two workers`]),
        ...ends
          .filter(code => code !== 7 && code !== 74)
          .map(code => `a worker ended with ${code}, not 7 or 74`),
      ],
    }
  })
}

/** Counts the connections of Landform that gave the server what it asked for. */
function countSignIns(log: string): number {
  return log.match(/connection authorized: .*application_name=landform/g)?.length ?? 0
}
