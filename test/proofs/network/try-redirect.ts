import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectProxy } from '../../support/connect-proxy.js'
import { type RawServer, startRawServer, startRawTlsServer } from '../../support/raw-server.js'
import { type HttpsHouse, httpsHouse } from './https-house.js'
import { aCaller, type Caller, isRequestOf, type Operation } from './operations.js'
import { type Redirect, redirectedExits } from './redirects.js'
import { names, someTrust, type Trusted } from './tls-cases.js'

/** Where an answer may point to. */
export const targets = ['another port', 'another name', 'plain http', 'another path'] as const
export type Target = (typeof targets)[number]

/** What the cells share: a house of sites, and servers where nobody is to be asked. */
export interface RedirectGround {
  readonly house: HttpsHouse
  readonly trusted: Trusted
  readonly secure: RawServer
  readonly plain: RawServer
}

export async function redirectGround(): Promise<RedirectGround> {
  const trusted = someTrust()
  const certificate = trusted.authority.issue('localhost', { names })
  const hello = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}'
  return {
    trusted,
    house: await httpsHouse(certificate),
    secure: await startRawTlsServer({ cert: certificate.cert, key: certificate.key }, socket =>
      socket.end(hello),
    ),
    plain: await startRawServer(socket => socket.end(hello)),
  }
}

export interface RedirectCell {
  readonly operation: Operation
  readonly redirect: Redirect
  readonly target: Target
}

/** The address that an answer points to. It is believed, so that only the client itself keeps away from it. */
function locationOf(target: Target, { secure, plain }: RedirectGround): string {
  switch (target) {
    case 'another port':
      return `https://localhost:${secure.port}/landing`
    case 'another name':
      return 'https://elsewhere.example.org/landing'
    case 'plain http':
      return `http://localhost:${plain.port}/landing`
    case 'another path':
      return '/landing'
    default:
      return target satisfies never
  }
}

/** Answers the request of an operation so: what is wrong with what came of it. */
export async function redirectComplaints(
  { operation, redirect, target }: RedirectCell,
  ground: RedirectGround,
): Promise<readonly string[]> {
  const { house, trusted, secure, plain } = ground
  const caller = await aCaller(operation, house, trusted.authority.cert)
  const { housed, secrets } = caller
  const answer = redirect.answer(locationOf(target, ground))
  housed.answerInstead = request => (isRequestOf(operation, request) ? answer : undefined)
  const proxy = await connectProxy({ toPort: house.port })
  const origin = target === 'another name' ? 'https://gis.example.org' : `https://localhost:${house.port}`
  const url = `${origin}${housed.path}`
  const environment = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` }
  const { exitCode, said } = await caller.call(url, environment)
  const times = housed.heard.filter(one => isRequestOf(operation, one)).length
  const elsewhere = [...secure.received, ...plain.received].join('\n')
  const asked = proxy.received.filter(text => !text.startsWith('CONNECT gis.example.org:443 '))
  const state = operation === 'configure' ? journalIn(caller) : 'unknown'
  return [
    ...(redirectedExits[operation].includes(exitCode) ? [] : [`it ends with ${exitCode}: ${said}`]),
    ...(/^next: |operator|unknown/m.test(said) ? [] : [`nothing says what to do: ${said}`]),
    ...(asked.length === 0 ? [] : [`the proxy was asked for ${asked[0]?.slice(0, 60)}`]),
    ...(elsewhere === '' ? [] : [`another host was asked: ${elsewhere.slice(0, 60)}`]),
    ...secrets.foundIn(elsewhere).map(name => `another host got ${name}`),
    ...house.strays.splice(0).map(({ method, path }) => `another path was asked: ${method} ${path}`),
    ...(times === 0 ? ['the request never came'] : []),
    ...(times > 1 && operation !== 'observe' && operation !== 'update' && operation !== 'signIn'
      ? [`it was sent ${times} times`]
      : []),
    ...(state === 'unknown' ? [] : [`the journal says ${state}`]),
  ]
}

/** What the newest version of the state says of the submission. */
function journalIn({ folder }: Caller): string | undefined {
  const kept = join(folder, '.landform')
  const files = readdirSync(kept, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const [newest] = files
    .map(entry => join(entry.parentPath, entry.name))
    // The name of the site has versions, too.
    .filter(path => !path.includes('/quickstart-'))
    .toSorted()
    .reverse()
  return /"submission": \{[^}]*?"state": "([a-z-]+)"/.exec(readFileSync(newest ?? '', 'utf8'))?.[1]
}

/** The same with a client that follows: the second host must hear it, and with 307 and 308 the secret, too. */
export async function followedComplaints(redirect: Redirect, { plain }: RedirectGround) {
  const { status, headers, body } = redirect.answer(`http://127.0.0.1:${plain.port}/landing`)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const site = await startRawServer((socket, received) => {
    if (received.endsWith('careless-secret'))
      socket.end(
        `HTTP/1.1 ${status} X\r\n${lines.join('')}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
      )
  })
  const before = plain.received.length
  const sent = { method: 'POST', body: 'careless-secret', redirect: 'follow' } as const
  await fetch(`http://127.0.0.1:${site.port}/admin/configure`, sent).then(answer => answer.text())
  const heard = plain.received.slice(before).join('')
  const wanted = [307, 308].includes(status) ? 'careless-secret' : '/landing'
  return heard.includes(wanted) ? [] : [`a client that follows ${redirect.what} is not heard: ${heard}`]
}
