import type { IncomingMessage, Server } from 'node:http'

type Socket = IncomingMessage['socket']

/**
 * Closes the oldest connection without a complete request once there are too many of them: a client that opens many and
 * sends nothing, or stops in the middle, does not lock out others.
 */
export function limitIdleConnections(server: Server, maxIdle = 100): void {
  // In the order of arrival, each with its current request.
  const connections = new Map<Socket, IncomingMessage | undefined>()
  server.on('connection', (socket: Socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
    const unasked = [...connections].filter(([, request]) => request?.complete !== true)
    if (unasked.length > maxIdle) unasked[0]?.[0].destroy()
  })
  server.on('request', (request: IncomingMessage, response) => {
    const { socket } = request
    connections.set(socket, request)
    response.once('close', () => {
      if (connections.get(socket) === request) connections.set(socket, undefined)
    })
  })
}
