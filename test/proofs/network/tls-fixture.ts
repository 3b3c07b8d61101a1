import { randomBytes } from 'node:crypto'
import type { HttpDouble } from '../../support/http-double.js'
import { judge } from '../judge/judge.js'
import { sendCarelessly } from './careless-client.js'
import { httpsHouse } from './https-house.js'
import { names, someTrust, type TlsCase, tlsCases } from './tls-cases.js'
import type { TlsGround } from './try-tls.js'

/** Starts the servers that the cells share. Control runs fill `requestAt`. */
export async function startTlsFixture(
  repairs: boolean,
): Promise<TlsGround & { readonly requestAt: Map<string, number> }> {
  const trusted = someTrust()
  const house = await httpsHouse(trusted.authority.issue('localhost', { names }))
  const servers = new Map<TlsCase, HttpDouble>()
  for (const tls of tlsCases) servers.set(tls, await tls.start(trusted))
  return { house, trusted, servers, requestAt: new Map(), repairs }
}

/** Lists the servers that do not even receive the request of a client that verifies nothing: their cells prove nothing. */
export async function listCarelessErrors({ trusted, servers }: TlsGround): Promise<readonly string[]> {
  const violations: string[] = []
  for (const [tls, server] of servers) {
    if (tls.careless === 'never') continue
    const body = `careless-${randomBytes(9).toString('hex')}`
    await sendCarelessly(server.port, body, tls, trusted)
    if (!server.received.join('').includes(body))
      violations.push(`${tls.what}: it did not receive the request of the careless client`)
  }
  return violations
}

/** Judges the bytes that the servers received, which must not have a request. */
export function heardViolations({ servers }: TlsGround): readonly string[] {
  const elsewhere = [...servers].flatMap(([tls, { received }]) => {
    const heard = received.filter(text => /^[A-Z]+ \//.test(text))
    return heard.map(text => `${tls.what}: it received ${text.slice(0, 40)}`)
  })
  return judge({ elsewhere })
}
