import { connectProxy } from '../../support/connect-proxy.js'
import type { RawServer } from '../../support/raw-server.js'
import { aDoor } from './door.js'
import type { HttpsHouse } from './https-house.js'
import { aCaller, type Called, type Caller, isRequestOf, type Operation, secretOf } from './operations.js'
import type { TlsCase, Trusted } from './tls-cases.js'

/** How a caller gets to a site: straight, or through a proxy that knows its name. */
export type Way = 'straight' | 'by proxy'

/** One meeting of an operation with something that is not to be believed. */
export interface TlsCell {
  readonly operation: Operation
  readonly tls: TlsCase
  readonly way: Way
  /** Whether the first look meets it, or only the request of the operation. */
  readonly at: 'the first connection' | 'its request'
}

/** Where the cells are tried. */
export interface TlsGround {
  readonly house: HttpsHouse
  readonly trusted: Trusted
  /** What stands for each case. */
  readonly servers: ReadonlyMap<TlsCase, RawServer>
  /** Whether each is tried once more, with everything repaired. */
  readonly repairs: boolean
  /** Which connection of each operation its request goes over, as control runs saw it. */
  readonly requestAt: ReadonlyMap<string, number>
}

/** What a control run came to, and what is wrong with it. */
export interface Control {
  readonly requestAt: number
  readonly complaints: readonly string[]
}

/** The same with a certificate that is right: then, and only so, does a later silence mean anything. */
export async function controlOf(operation: Operation, ground: TlsGround, way: Way): Promise<Control> {
  const caller = await aCaller(operation, ground.house, ground.trusted.authority.cert)
  const door = await aDoor(() => ground.house.port)
  const { exitCode, said } = await calledBy(caller, door.port, { way })
  const { heard } = caller.housed
  const at = heard.findIndex(one => isRequestOf(operation, one))
  const request = heard[at]
  // It goes over the connection of the last look before it.
  const requestAt =
    operation === 'configure' ? heard.slice(0, at).findLastIndex(({ method }) => method === 'GET') : at
  const secret = secretOf[operation]
  const isThere = secret === undefined || caller.secrets.foundIn(request?.text ?? '').includes(secret)
  return {
    requestAt,
    complaints: [
      ...(exitCode === 0 ? [] : [`it ends with ${exitCode}: ${said}`]),
      ...(isThere ? [] : [`the request does not hold ${secret}`]),
      ...caller.secrets.foundIn(door.received.join('\n')).map(name => `${name} goes over the wire in clear`),
    ],
  }
}

/** Tries one: what is wrong with how it went. */
export async function tlsComplaints(cell: TlsCell, ground: TlsGround): Promise<readonly string[]> {
  const { operation, tls, way, at } = cell
  const from = at === 'its request' ? (ground.requestAt.get(`${operation} ${way}`) ?? 0) : 0
  const server = ground.servers.get(tls)
  let isMended = false
  const caller = await aCaller(operation, ground.house, ground.trusted.authority.cert)
  const door = await aDoor(number =>
    isMended || number < from || server === undefined ? ground.house.port : server.port,
  )
  // The state belongs to the address, so the repaired site is called by the same one.
  const route = { way, ...(tls.host !== undefined && { host: tls.host }) }
  const called = await calledBy(caller, door.port, route)
  const looks = caller.housed.heard.length
  const complaints = [
    ...saidWrong(called, cell),
    ...(looks === from ? [] : [`the site heard ${looks} requests, not ${from}`]),
    ...leaks(caller, [...door.received, ...(server?.received ?? [])].join('\n')),
    ...(caller.housed.heard.some(one => isRequestOf(operation, one)) && operation !== 'observe'
      ? ['the request of the operation reached the site']
      : []),
  ]
  if (!ground.repairs) return complaints
  isMended = true
  const again = await calledBy(caller, door.port, route)
  return again.exitCode === 0
    ? complaints
    : [...complaints, `repaired, it ends with ${again.exitCode}: ${again.said}`]
}

async function calledBy(
  caller: Caller,
  port: number,
  { way, host = 'localhost' }: { readonly way: Way; readonly host?: string },
): Promise<Called> {
  if (way === 'straight') return caller.call(`https://${host}:${port}${caller.housed.path}`)
  const proxy = await connectProxy({ toPort: port })
  const called = await caller.call(`https://gis.example.org${caller.housed.path}`, {
    HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
  })
  const leaked = leaks(caller, proxy.received.join('\n'))
  return leaked.length === 0 ? called : { exitCode: -1, said: `the proxy heard ${leaked.join(', ')}` }
}

function leaks({ secrets }: Caller, text: string): readonly string[] {
  return secrets.foundIn(text).map(name => `${name} was sent`)
}

/** Nobody is left without a cause and a way on, and nobody is told to look away. */
function saidWrong({ exitCode, said }: Called, { operation, tls, at }: TlsCell): readonly string[] {
  const wanted = operation === 'signIn' && at === 'its request' ? [75] : tls.exitCodes
  return [
    ...(wanted.includes(exitCode) ? [] : [`it ends with ${exitCode}: ${said}`]),
    ...(tls.reason.test(said) ? [] : [`nothing says why: ${said}`]),
    ...(/^next: /m.test(said) ? [] : [`nothing says what to do: ${said}`]),
    ...(/NODE_TLS_REJECT|insecure|unverified|\b(?:skip|disable|without) (?:the )?verif/i.test(said)
      ? [`it suggests to look away: ${said}`]
      : []),
  ]
}

/** Plain `http` to a port of TLS: where the site is looked at first, no secret goes out in clear. */
export async function plainComplaints(
  operation: Operation,
  { house }: TlsGround,
): Promise<readonly string[]> {
  const caller = await aCaller(operation, house)
  const door = await aDoor(() => house.port)
  const { exitCode, said } = await caller.call(`http://localhost:${door.port}${caller.housed.path}`)
  const elsewhere = await caller.call(`http://gis.example.org:${door.port}${caller.housed.path}`)
  return [
    ...(exitCode === 75 ? [] : [`it ends with ${exitCode}: ${said}`]),
    ...(door.received.some(text => text.startsWith('GET ')) ? [] : ['not even a look went out']),
    ...leaks(caller, door.received.join('\n')),
    ...(elsewhere.exitCode === 64 ? [] : [`to another host it ends with ${elsewhere.exitCode}`]),
  ]
}
