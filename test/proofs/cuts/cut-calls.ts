import { isCertain, type Reply } from '../../../src/client/failure.js'
import { siteWriter } from '../../../src/client/site-writer.js'
import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { startEmulator } from '../../../src/emulator/server.js'
import type { Observation } from '../../../src/plan/observation.js'
import type { JsonPointer } from '../../../src/schema/pointer.js'
import { Secret, type Secrets } from '../../../src/secrets/secret.js'
import { anOrganization } from '../../support/an-organization.js'
import { configured } from '../../support/configured.js'
import { judge } from '../judge/judge.js'
import { type Cut, cuttingRelay, uncut } from './cut.js'

/** The calls that are cut: a request that starts a configuration, and a poll. */
export type Call = 'configure' | 'poll'

/** The result of a cut call, at the client and at the service. */
export interface Ending {
  readonly call: Call
  readonly cut: Cut
  readonly reply: Reply<Observation>
  /** The number of configurations that the emulator accepted. */
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

/** Makes calls to new sites, and cuts them. */
export async function cutCalls() {
  let emulator: Emulator | undefined
  let relay: Awaited<ReturnType<typeof cuttingRelay>> | undefined
  let paths: string[] = []
  let accepted = 0

  /** Returns a new site behind the relay. */
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
      // The lengths are measured at one site and used at others, so all requests must be equally long.
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
    /** Measures the bytes of a call and of its response. */
    async lengthsOf(call: Call) {
      const { reply } = await made(call, uncut)
      if (!reply.ok) throw new Error(`without a cut: ${reply.error.kind}`)
      const { request, answer } = relay?.seen() ?? { request: 0, answer: 0 }
      return { request, answer }
    },
  }
}

/** Judges a call that was cut. A reply counts as exit code 0, a certain failure as 69, and any other failure as 4. */
export function judgeCut({ call, cut, reply, accepted, connections }: Ending): readonly string[] {
  const { of, afterBytes, how } = cut
  const exitCode = reply.ok ? 0 : isCertain(reply.error) ? 69 : 4
  const sent = { received: connections, accepted }
  const state = accepted > 0 ? 'in-progress' : 'not-configured'
  const run = { command: 'apply', exitCode, outcome: reply.ok ? 'ok' : reply.error.kind, sent } as const
  const wanted = call === 'configure' && of === 'answer' ? 1 : 0
  return [
    ...judge({ run, site: { ...sent, state, hasPolicy: false } }),
    ...(connections > 0 && accepted === wanted
      ? []
      : [`the cut had no effect: accepted ${accepted} times over ${connections} connections`]),
  ].map(text => `${call}, ${of} cut after ${afterBytes} bytes with ${how}: ${text}`)
}
