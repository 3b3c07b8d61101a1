/** One event of a stream, or a comment. */
interface StreamedEvent {
  readonly id?: string
  readonly event?: string
  readonly data?: string
  readonly comment?: string
}

/** Listens to server-sent events, and waits for them one by one. */
export async function listenTo(url: string, headers: Readonly<Record<string, string>> = {}) {
  const ended = new AbortController()
  const response = await fetch(url, { headers, signal: ended.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  const next = async (): Promise<StreamedEvent> => {
    const end = rest.indexOf('\n\n')
    if (end === -1) {
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done === true || value === undefined) throw new Error('the stream has ended')
      rest += value
      return next()
    }
    const block = rest.slice(0, end)
    rest = rest.slice(end + 2)
    return parsed(block)
  }
  return { response, next, end: () => ended.abort() }
}

function parsed(block: string): StreamedEvent {
  const lines = block.split('\n').map(line => {
    const [name = '', ...value] = line.split(': ')
    return [name === '' ? 'comment' : name, value.join(': ')] as const
  })
  return Object.fromEntries(lines)
}
