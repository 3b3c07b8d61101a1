import { once } from 'node:events'
import { connect as connectPlainly } from 'node:net'
import { connect } from 'node:tls'
import type { TlsCase, Trusted } from './tls-cases.js'

/** Sends a request without verifying the server. If the server does not receive it, its cells prove nothing. */
export async function sendCarelessly(
  port: number,
  body: string,
  { careless }: TlsCase,
  { client }: Trusted,
): Promise<void> {
  const socket =
    careless === 'over TLS'
      ? connect({
          host: '127.0.0.1',
          port,
          ...client,
          rejectUnauthorized: false,
          minVersion: 'TLSv1',
          ciphers: 'ALL@SECLEVEL=0',
        })
      : connectPlainly(port, '127.0.0.1')
  const closed = once(socket, 'close')
  socket.on('error', () => undefined).resume()
  socket.write(`POST /careless HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  await closed
}
