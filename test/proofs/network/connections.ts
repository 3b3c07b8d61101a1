import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

const channel = 'net.client.socket'

/** Notes every connection that this process begins while something is done: where to, and for which name. */
export async function connectionsOf<T>(
  work: () => Promise<T>,
): Promise<{ readonly done: T; readonly begun: readonly string[] }> {
  const begun: string[] = []
  const note = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket }
    socket.on('connectionAttempt', (address: string, port: number) => begun.push(`${address}:${port}`))
    socket.on('lookup', (_error: unknown, _address: unknown, _family: unknown, host: string) =>
      begun.push(`the name ${host}`),
    )
  }
  subscribe(channel, note)
  try {
    return { done: await work(), begun }
  } finally {
    unsubscribe(channel, note)
  }
}
