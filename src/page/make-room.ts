import type { IncomingMessage, Server } from 'node:http'

type Socket = IncomingMessage['socket']

/**
 * Ends the oldest connection on which no whole request is there, once there are too many of those: who opens many and says
 * nothing, or stops in the middle, keeps nobody else out.
 */
export function makeRoom(server: Server, unaskedAtMost = 100): void {
  // In the order in which they came; with the request that a connection is at.
  const connections = new Map<Socket, IncomingMessage | undefined>()
  server.on('connection', (socket: Socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
    const unasked = [...connections].filter(([, request]) => request?.complete !== true)
    if (unasked.length > unaskedAtMost) unasked[0]?.[0].destroy()
  })
  server.on('request', (request: IncomingMessage, response) => {
    const { socket } = request
    connections.set(socket, request)
    response.once('close', () => {
      if (connections.get(socket) === request) connections.set(socket, undefined)
    })
  })
}
