import { createConnection } from 'node:net'
import { controlPath } from './base-paths.js'
import { loopback } from './http/guard.js'

const timeoutMs = 10_000

/**
 * Asks the emulator on a port to end, and waits until it has closed the connection: then it no longer listens. Resolves
 * with `none` if nothing listens on the port, and with `other` if that is another program.
 */
export function stopEmulator(port: number): Promise<'stopped' | 'none' | 'other'> {
  return new Promise(resolve => {
    const socket = createConnection({ host: loopback, port, timeout: timeoutMs })
    let answer = ''
    let refused = false
    socket.write(`DELETE ${controlPath} HTTP/1.1\r\nHost: ${loopback}:${port}\r\n\r\n`)
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text
      if (!answer.startsWith(accepted.slice(0, answer.length))) socket.destroy()
    })
    socket.on('timeout', () => socket.destroy())
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      refused = code === 'ECONNREFUSED'
    })
    socket.on('close', () => resolve(refused ? 'none' : answer.startsWith(accepted) ? 'stopped' : 'other'))
  })
}

const accepted = 'HTTP/1.1 204'
