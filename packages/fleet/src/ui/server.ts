import { startHttpServer } from '../http/http-server.js'
import { formatListenAddress, type ListenAddress } from '../model/listen-address.js'
import { type Every, everyInterval } from './fleet-events.js'
import type { FleetSource } from './fleet-source.js'
import { createFleetWatch } from './fleet-watch.js'
import { buildPageApp } from './page-app.js'
import { createSessions } from './sessions.js'
import { createAccess, type ReportWrongToken } from './sign-in.js'

export interface FleetPageOptions {
  readonly source: FleetSource
  readonly listen: ListenAddress
  /** SHA-256 of the token; without it everyone who reaches the page can read it. */
  readonly tokenDigest?: Uint8Array
  /** Additional host names. */
  readonly names?: readonly string[]
  /** Default: reports nothing. */
  readonly reportWrongToken?: ReportWrongToken
  /** Timer of the event stream. Default: a real one, while pages are open. */
  readonly every?: Every
  /** Default: the real clock. */
  now?(): number
  /** Delays the response to a wrong token. Default: by a timer. */
  wait?(milliseconds: number): Promise<void>
}

/** The server of the page, until it is closed. */
export interface FleetPage {
  readonly url: string
  /** Resolves when every socket is closed and no query is running. */
  close(): Promise<void>
}

/** Starts the server of the page. Rejects if it cannot listen on the address. */
export async function startFleetPage(options: FleetPageOptions): Promise<FleetPage> {
  const { names = [], every = everyInterval, now = () => performance.now(), tokenDigest } = options
  const { wait = timer, reportWrongToken = () => undefined } = options
  const reading = new Set<Promise<unknown>>()
  const { source } = options
  const watch = createFleetWatch({ source, every, now })
  const access =
    tokenDigest && createAccess(createSessions({ digest: tokenDigest, now, wait }), reportWrongToken)
  // `localhost` could resolve to another address.
  const host = options.listen.host === 'localhost' ? '127.0.0.1' : options.listen.host
  const app = buildPageApp({
    source: {
      ...source,
      readSite(...site) {
        const read = source.readSite(...site)
        reading.add(read)
        const forget = () => reading.delete(read)
        read.then(forget, forget)
        return read
      },
    },
    watch,
    hosts: { host, names },
    access,
  })
  const { port, close } = await startHttpServer(app, { host, port: options.listen.port })
  return {
    url: `http://${formatListenAddress({ host, port })}/`,
    async close() {
      await close()
      await Promise.allSettled([...reading, watch.idle()])
    },
  }
}

function timer(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}
