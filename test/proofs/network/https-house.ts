import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { sendEnding } from '../../../src/emulator/http/send-ending.js'
import type { WorldOptions } from '../../../src/emulator/service/world.js'
import { createSiteInProcess, type InProcessSite } from '../../../src/emulator/site.js'
import type { Certificate } from '../../support/certificate.js'

/** A decrypted request. */
export interface HeardRequest {
  readonly method: string
  readonly path: string
  /** Headers and body, to search for secrets. */
  readonly text: string
}

/** A response instead of that of the site. */
export interface OtherAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An emulated site over TLS, under any host name. */
export interface HousedSite {
  readonly path: string
  readonly site: InProcessSite
  /** Oldest first. */
  readonly heard: HeardRequest[]
  /** Returns a response instead of that of the site, which then does not receive the request. */
  answerInstead: (request: HeardRequest) => OtherAnswer | undefined
}

/** A TLS server of many sites, each with its own path. */
export interface HttpsHouse {
  readonly port: number
  /** Requests to unknown sites. */
  readonly strays: HeardRequest[]
  add(options: WorldOptions & { readonly now: () => number }): HousedSite
  close(): Promise<void>
}

/** Starts the server on loopback. */
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
