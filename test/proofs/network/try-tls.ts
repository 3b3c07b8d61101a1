import { connectProxy, type HttpDouble } from '../../support/http-double.js'
import { judge } from '../judge/judge.js'
import { aDoor } from './door.js'
import type { HttpsHouse } from './https-house.js'
import { aCaller, type Called, type Caller, isRequestOf, type Operation, secretOf } from './operations.js'
import type { TlsCase, Trusted } from './tls-cases.js'

/** The route to a site: direct, or through a proxy that resolves its name. */
export type Way = 'straight' | 'by proxy'

/** An operation that meets a server that it must not trust. */
export interface TlsCell {
  readonly operation: Operation
  readonly tls: TlsCase
  readonly way: Way
  /** The connection that meets the server: the first, or that of the operation's request. */
  readonly at: 'the first connection' | 'its request'
}

/** The servers and settings that the cells share. */
export interface TlsGround {
  readonly house: HttpsHouse
  readonly trusted: Trusted
  /** The server of each case. */
  readonly servers: ReadonlyMap<TlsCase, HttpDouble>
  /** True if each cell is tried again with the right server. */
  readonly repairs: boolean
  /** The number of the connection that carries the request of each operation, as control runs measured it. */
  readonly requestAt: ReadonlyMap<string, number>
}

export interface Control {
  readonly requestAt: number
  readonly violations: readonly string[]
}

/** Tries an operation with the right certificate. If the site does not receive it, the cells prove nothing. */
export async function controlOf(operation: Operation, ground: TlsGround, way: Way): Promise<Control> {
  const caller = await aCaller(operation, ground.house, ground.trusted.authority.cert)
  const door = await aDoor(() => ground.house.port)
  const { exitCode, said } = await calledBy(caller, door.port, { way })
  const { heard } = caller.housed
  const at = heard.findIndex(one => isRequestOf(operation, one))
  const request = heard[at]
  // The request uses the connection of the last poll before it.
  const requestAt =
    operation === 'configure' ? heard.slice(0, at).findLastIndex(({ method }) => method === 'GET') : at
  const secret = secretOf[operation]
  const isThere = secret === undefined || caller.secrets.foundIn(request?.text ?? '').includes(secret)
  return {
    requestAt,
    violations: [
      ...(exitCode === 0 ? [] : [`it exited with ${exitCode}: ${said}`]),
      ...(isThere ? [] : [`the request does not contain ${secret}`]),
      ...caller.secrets.foundIn(door.received.join('\n')).map(name => `I3: ${name} is sent in plaintext`),
    ],
  }
}

export async function tlsViolations(cell: TlsCell, ground: TlsGround): Promise<readonly string[]> {
  const { operation, tls, way, at } = cell
  const from = at === 'its request' ? (ground.requestAt.get(`${operation} ${way}`) ?? 0) : 0
  const server = ground.servers.get(tls)
  let isRepaired = false
  const caller = await aCaller(operation, ground.house, ground.trusted.authority.cert)
  const door = await aDoor(number =>
    isRepaired || number < from || server === undefined ? ground.house.port : server.port,
  )
  // The state belongs to the address, so the repaired site is called by the same one.
  const route = { way, ...(tls.host !== undefined && { host: tls.host }) }
  const called = await calledBy(caller, door.port, route)
  const looks = caller.housed.heard.length
  const isSent = operation !== 'observe' && caller.housed.heard.some(one => isRequestOf(operation, one))
  const violations = [
    ...judge({
      run: { command: 'status', exitCode: called.exitCode, outcome: tls.what, printed: called.said },
      secrets: leaks(caller, [...door.received, ...(server?.received ?? [])].join('\n')),
      elsewhere: isSent ? ['the request of the operation was sent'] : [],
    }),
    ...saidWrong(called, cell),
    ...(looks === from ? [] : [`the site received ${looks} requests, not ${from}`]),
  ]
  if (!ground.repairs) return violations
  isRepaired = true
  const again = await calledBy(caller, door.port, route)
  return again.exitCode === 0
    ? violations
    : [...violations, `after the repair, it exited with ${again.exitCode}: ${again.said}`]
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
  return leaked.length === 0 ? called : { exitCode: -1, said: `I3: the proxy received ${leaked.join(', ')}` }
}

function leaks({ secrets }: Caller, text: string): readonly string[] {
  return secrets.foundIn(text).map(name => `${name} was sent`)
}

/** Lists violations of the output: every failure must name its cause, and none may suggest disabling TLS. */
function saidWrong({ exitCode, said }: Called, { operation, tls, at }: TlsCell): readonly string[] {
  const wanted = operation === 'signIn' && at === 'its request' ? [75] : tls.exitCodes
  return [
    ...(wanted.includes(exitCode) ? [] : [`it exited with ${exitCode}: ${said}`]),
    ...(tls.reason.test(said) ? [] : [`the output names no cause: ${said}`]),
    ...(/NODE_TLS_REJECT|insecure|unverified|\b(?:skip|disable|without) (?:the )?verif/i.test(said)
      ? [`it suggests disabling verification: ${said}`]
      : []),
  ]
}

/** Tries plain `http` at a TLS port: the first poll must fail, and no secret may be sent in plaintext. */
export async function plainViolations(
  operation: Operation,
  { house }: TlsGround,
): Promise<readonly string[]> {
  const caller = await aCaller(operation, house)
  const door = await aDoor(() => house.port)
  const { exitCode, said } = await caller.call(`http://localhost:${door.port}${caller.housed.path}`)
  const elsewhere = await caller.call(`http://gis.example.org:${door.port}${caller.housed.path}`)
  return [
    ...(exitCode === 75 ? [] : [`it exited with ${exitCode}: ${said}`]),
    ...(door.received.some(text => text.startsWith('GET ')) ? [] : ['no poll was sent']),
    ...leaks(caller, door.received.join('\n')),
    ...(elsewhere.exitCode === 64 ? [] : [`to another host it exited with ${elsewhere.exitCode}`]),
  ]
}
