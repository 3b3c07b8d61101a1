import { randomBytes } from 'node:crypto'
import type { RawServer } from '../../support/raw-server.js'
import { sendCarelessly } from './careless-client.js'
import { httpsHouse } from './https-house.js'
import { names, someTrust, type TlsCase, tlsCases } from './tls-cases.js'
import type { TlsGround } from './try-tls.js'

/** Everything that the cells need, started once for all of them; control runs fill in `requestAt`. */
export async function startTlsFixture(
  repairs: boolean,
): Promise<TlsGround & { readonly requestAt: Map<string, number> }> {
  const trusted = someTrust()
  const house = await httpsHouse(trusted.authority.issue('localhost', { names }))
  const servers = new Map<TlsCase, RawServer>()
  for (const tls of tlsCases) servers.set(tls, await tls.start(trusted))
  return { house, trusted, servers, requestAt: new Map(), repairs }
}

/** Whether each server would hear a client that verifies nothing; of one that hears nobody a silence means nothing. */
export async function listCarelessErrors({ trusted, servers }: TlsGround): Promise<readonly string[]> {
  const complaints: string[] = []
  for (const [tls, server] of servers) {
    if (tls.careless === 'never') continue
    const body = `careless-${randomBytes(9).toString('hex')}`
    await sendCarelessly(server.port, body, tls, trusted)
    if (!server.received.join('').includes(body)) complaints.push(`${tls.what}: it hears nobody`)
  }
  return complaints
}

/** What any of the servers heard of a request, for they are there to hear nothing. */
export function heardComplaints({ servers }: TlsGround): readonly string[] {
  return [...servers].flatMap(([tls, { received }]) => {
    const heard = received.filter(text => /^[A-Z]+ \//.test(text))
    return heard.map(text => `${tls.what}: it heard ${text.slice(0, 40)}`)
  })
}
