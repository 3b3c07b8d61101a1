import type { FleetDocument } from '../../fleet-document.js'

/** The parts of the fleet that an event replaces; of the sites those that changed. */
export type FleetChange = Partial<Pick<FleetDocument, 'sites' | 'rollouts' | 'workers' | 'trouble'>>

export type LinkState = 'live' | 'lost' | 'signed-out'

export interface FleetListener {
  /** Reads everything again, at the start and after a gap. */
  load(): Promise<'new' | 'same' | 'signed-out'>
  take(change: FleetChange): void
  report(state: LinkState): void
}

const retryAtMostMs = 15_000

/** Listens for changes for as long as the page is open. Events that arrive while everything is read wait. */
export function listenForever({ load, take, report }: FleetListener): () => void {
  let stream: EventSource | undefined
  /** The stream whose events continue the data that is shown. */
  let loadedStream: EventSource | undefined
  let waiting: FleetChange[] | undefined
  let tries = 0
  let resets = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function listen(): void {
    clearTimeout(timer)
    stream?.close()
    const mine = new EventSource('events')
    stream = mine
    mine.onopen = () => {
      tries = 0
      if (mine === loadedStream) report('live')
    }
    mine.onerror = () => {
      report('lost')
      // Some responses end a stream for good: then only a request shows whether to sign in again or to wait.
      if (mine.readyState === EventSource.CLOSED) void reset(mine)
    }
    mine.addEventListener('reset', () => void reset(mine))
    for (const name of ['sites', 'rollouts', 'workers', 'trouble'])
      mine.addEventListener(name, ({ data }: MessageEvent<string>) => {
        const change: FleetChange = JSON.parse(data)
        if (waiting === undefined) take(change)
        else waiting.push(change)
      })
  }

  async function reset(mine: EventSource): Promise<void> {
    waiting ??= []
    resets += 1
    const number = resets
    const loaded = await load().catch(() => 'lost' as const)
    if (mine !== stream || number !== resets) return
    if (loaded === 'signed-out') {
      mine.close()
      waiting = undefined
      report('signed-out')
      return
    }
    if (loaded === 'lost' || mine.readyState === EventSource.CLOSED) {
      report('lost')
      tries += 1
      timer = setTimeout(listen, Math.min(retryAtMostMs, 500 * 2 ** tries))
      return
    }
    const changes = waiting
    waiting = undefined
    for (const change of changes) take(change)
    loadedStream = mine
    if (mine.readyState === EventSource.OPEN) report('live')
  }

  // After sleep a machine may hold a stream that is dead without an error.
  addEventListener('online', listen)
  let hiddenAt = 0
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) hiddenAt = performance.now()
    else if (performance.now() - hiddenAt > 60_000) listen()
  })
  listen()
  return listen
}
