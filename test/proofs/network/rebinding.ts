import { once } from 'node:events'
import type { AddressInfo, LookupFunction } from 'node:net'
import { createServer, type Server, type TlsOptions } from 'node:tls'
import { send } from '../../../src/client/connection.js'
import { createTrust } from '../../../src/client/trust.js'
import { json } from '../../support/answering-site.js'
import { anAuthority } from '../../support/certificate.js'
import { names, type Trusted } from './tls-cases.js'

/** Where a name leads, look by look. */
const leadingTo = (answers: readonly (readonly string[])[]): LookupFunction => {
  let look = 0
  return (_host, options, done) => {
    const found = (answers[look] ?? answers.at(-1) ?? []).map(address => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }))
    look += 1
    if (options.all) done(null, found)
    else done(null, found[0]?.address ?? '', found[0]?.family)
  }
}

/** Changes of a name between two looks of a wait, and what comes of the second. */
const changes = [
  ['an address of the link', ['169.254.169.254'], 'address'],
  ['an address of the link among others', ['127.0.0.1', '169.254.169.254'], 'address'],
  ['an address of the link in IPv6', ['fe80::1'], 'address'],
  ['an address of the link inside IPv6', ['::ffff:169.254.169.254'], 'address'],
  ['another machine', ['127.0.0.2'], 'tls'],
] as const

/** A name that leads to a site, and at the next look elsewhere: what was heard there, and what the client says of it. */
export async function rebindingComplaints({ authority }: Trusted): Promise<readonly string[]> {
  const right = await heardAt('127.0.0.1', 0, authority.issue('localhost', { names }))
  // A machine of somebody else has no certificate for the name.
  const wrong = await heardAt('127.0.0.2', right.port, anAuthority('localhost', { names }))
  const trust = createTrust({ authorities: Buffer.from(authority.cert) })
  const complaints: string[] = []
  for (const [what, then, cause] of changes) {
    const lookup = leadingTo([['127.0.0.1'], then])
    const look = () =>
      send({
        method: 'GET',
        url: `https://gis.example.org:${right.port}/admin`,
        path: '?f=json',
        authorization: 'Bearer a-secret',
        deadlineMs: 10_000,
        signal: new AbortController().signal,
        route: { trust, lookup },
      })
    const [before, after] = [await look(), await look()]
    if (!before.ok) complaints.push(`${what}: the first look fails with ${JSON.stringify(before.error)}`)
    const failure = after.ok || after.error.kind !== 'not-sent' ? 'it is asked' : after.error.cause
    if (failure !== cause) complaints.push(`${what}: ${failure}`)
  }
  if (wrong.texts.join('') !== '') complaints.push('another machine heard a request')
  if (right.texts.length !== changes.length) complaints.push(`the site heard ${right.texts.length} looks`)
  right.server.close()
  wrong.server.close()
  return complaints
}

async function heardAt(address: string, port: number, options: TlsOptions) {
  const texts: string[] = []
  const server: Server = createServer({ cert: options.cert, key: options.key }, socket => {
    socket.on('error', () => undefined)
    socket.on('data', chunk => {
      texts.push(String(chunk))
      socket.end(json({}))
    })
  })
  server.on('tlsClientError', () => undefined).listen(port, address)
  await once(server, 'listening')
  return { server, texts, port: (server.address() as AddressInfo).port }
}
