const retryAtMostMs = 15_000

/**
 * Listens for changes for as long as the page is open. `load` reads everything again, at the start and after a gap; events
 * that arrive meanwhile wait.
 */
export function listenForever({ load, take, report }) {
  let stream
  /** The stream whose events continue the data that is shown. */
  let loadedStream
  let waiting
  let tries = 0
  let resets = 0
  let timer

  function listen() {
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
      if (mine.readyState === EventSource.CLOSED) reset(mine)
    }
    mine.addEventListener('reset', () => reset(mine))
    for (const name of ['sites', 'rollouts', 'workers', 'trouble'])
      mine.addEventListener(name, ({ data }) => {
        const happen = () => take(name, JSON.parse(data))
        if (waiting === undefined) happen()
        else waiting.push(happen)
      })
  }

  async function reset(mine) {
    waiting ??= []
    resets += 1
    const number = resets
    const loaded = await load().catch(() => 'lost')
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
    const happened = waiting
    waiting = undefined
    for (const happen of happened) happen()
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
