import { isCertain, type Reply } from '../../../src/client/failure.js'
import { siteWriter } from '../../../src/client/site-writer.js'
import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { startEmulator } from '../../../src/emulator/server.js'
import type { Observation } from '../../../src/plan/observation.js'
import type { JsonPointer } from '../../../src/schema/pointer.js'
import { Secret, type Secrets } from '../../../src/secrets/secret.js'
import { anOrganization } from '../../support/an-organization.js'
import { configured } from '../../support/configured.js'
import { type Cut, cuttingRelay, uncut } from './cut.js'

/** Two calls that are cut: what begins a configuration, and a look. */
export type Call = 'configure' | 'look'

/** What came of a call that was cut, on both sides. */
export interface Ending {
  readonly call: Call
  readonly cut: Cut
  readonly reply: Reply<Observation>
  /** How often the service took a configuration over: told by the emulator, not by the client. */
  readonly accepted: number
  readonly connections: number
}

const sitesAtOnce = 200

function secrets(): Secrets {
  const pointers = [
    '/spec/administrator/password',
    '/spec/administrator/securityQuestion/answer',
    '/spec/license/file',
  ]
  return new Map(
    pointers.map(pointer => [pointer as JsonPointer, new Secret(Buffer.from('Correct-horse-1'))]),
  )
}

/** Makes calls to sites that are new each time, and cuts them. */
export async function cutCalls() {
  let emulator: Emulator | undefined
  let relay: Awaited<ReturnType<typeof cuttingRelay>> | undefined
  let paths: string[] = []
  let accepted = 0

  /** A site that nobody called yet, behind the relay. */
  async function newSite(): Promise<string> {
    if (paths.length === 0) {
      await close()
      const inspect: NonNullable<Parameters<typeof startEmulator>[0]>['inspect'] = ({
        received,
        delivery,
      }) => {
        if (received.request.target.operation === 'configure' && delivery.accepted) accepted += 1
      }
      emulator = await startEmulator({ sites: sitesAtOnce, inspect })
      relay = await cuttingRelay(Number(new URL(emulator.url).port))
      const all = emulator.sites.map(({ url }) => new URL(url).pathname)
      // What is measured at one site is cut at others: their requests must be equally long.
      const longest = Math.max(...all.map(path => path.length))
      paths = all.filter(path => path.length === longest)
    }
    return paths.pop() ?? ''
  }

  async function made(call: Call, cut: Cut): Promise<Ending> {
    const path = await newSite()
    if (relay === undefined) throw new Error('no relay')
    relay.set(cut, call === 'configure' ? 'POST' : 'GET')
    accepted = 0
    const writer = siteWriter(`http://127.0.0.1:${relay.port}${path}`)
    const reply =
      call === 'configure'
        ? await configured(writer, anOrganization(), secrets())
        : await writer.observe(new AbortController().signal)
    return { call, cut, reply, accepted, connections: relay.seen().connections }
  }

  async function close() {
    await relay?.close()
    await emulator?.close()
  }

  return {
    made,
    close,
    /** How many bytes a call and its answer have. */
    async lengthsOf(call: Call) {
      const { reply } = await made(call, uncut)
      if (!reply.ok) throw new Error(`without a cut: ${reply.error.kind}`)
      const { request, answer } = relay?.seen() ?? { request: 0, answer: 0 }
      return { request, answer }
    },
  }
}

/** What must not be, whatever is cut where; nothing where all is well. */
export function complaint({ call, cut, reply, accepted, connections }: Ending): string | undefined {
  const { of, afterBytes, how } = cut
  const where = `${call}, ${of} cut after ${afterBytes} bytes with ${how}`
  if (connections !== 1) return `${where}: ${connections} connections`
  if (accepted > 1) return `${where}: accepted ${accepted} times`
  if (reply.ok) return `${where}: taken for an answer`
  if (isCertain(reply.error)) return `${where}: taken for certain (${reply.error.kind})`
  const wanted = call === 'configure' && of === 'answer' ? 1 : 0
  return accepted === wanted ? undefined : `${where}: accepted ${accepted} times, not ${wanted}`
}
