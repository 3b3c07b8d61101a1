import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { sendEnding } from '../../../src/emulator/http/send-ending.js'
import type { WorldOptions } from '../../../src/emulator/service/world.js'
import { createSiteInProcess, type InProcessSite } from '../../../src/emulator/site.js'
import type { Certificate } from '../../support/certificate.js'

/** One request as it came out of TLS. */
export interface HeardRequest {
  readonly method: string
  /** The target of the request line. */
  readonly path: string
  /** Headers and body, for whoever looks for a secret in it. */
  readonly text: string
}

/** An answer that somebody gives in place of a site. */
export interface OtherAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An emulated site that is reached over TLS, under whatever host name. */
export interface HousedSite {
  /** The path of its `{base_url}`. */
  readonly path: string
  readonly site: InProcessSite
  /** Oldest first. */
  readonly heard: HeardRequest[]
  /** Who answers in its place; the site then sees nothing of the request. */
  answerInstead: (request: HeardRequest) => OtherAnswer | undefined
}

/** A server of many sites, each with a path of its own: making TLS once is enough for all of them. */
export interface HttpsHouse {
  readonly port: number
  /** What came for no site of it. */
  readonly strays: HeardRequest[]
  add(options: WorldOptions & { readonly now: () => number }): HousedSite
  close(): Promise<void>
}

/** Opens one on a loopback port. */
export async function httpsHouse(certificate: Certificate): Promise<HttpsHouse> {
  const sites = new Map<string, HousedSite>()
  const strays: HeardRequest[] = []
  const server = createServer({ cert: certificate.cert, key: certificate.key }, (incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    strays,
    add({ now, ...options }) {
      const name = `s${sites.size}`
      const path = `/${name}/admin`
      const site = createSiteInProcess({ url: `https://localhost:${port}${path}`, now, ...options })
      const housed: HousedSite = { path, site, heard: [], answerInstead: () => undefined }
      sites.set(name, housed)
      return housed
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url = '', headers, rawHeaders } = incoming
    const bytes = await buffer(incoming)
    const request = { method, path: url, text: `${rawHeaders.join('\n')}\n\n${bytes.toString('latin1')}` }
    const housed = sites.get(url.split(/[/?]/)[1] ?? '')
    ;(housed?.heard ?? strays).push(request)
    const instead = housed?.answerInstead(request)
    if (housed === undefined || instead !== undefined) {
      const { status, headers: own, body } = instead ?? { status: 404, headers: {}, body: '{}' }
      outgoing.writeHead(status, { ...own, 'content-length': Buffer.byteLength(body) }).end(body)
      return
    }
    const arrival = await housed.site.arrive({ method, url, headers, bytes })
    await sendEnding(outgoing, arrival.deliver(), async () => undefined)
  }
}
