import { createConnection } from 'node:net'
import { emulatorHeader } from '../contract/responses.js'
import { controlPath } from './base-paths.js'
import { loopback } from './http/guard.js'

const timeoutMs = 10_000

/**
 * Stops the emulator on a port, and waits until it has closed the connection; by then it no longer listens. Resolves
 * with `none` if nothing listens on the port, and with `other` if another program does.
 */
export async function stopEmulator(port: number): Promise<'stopped' | 'none' | 'other'> {
  const { isRefused, answer } = await ask(port, 'DELETE', 'HTTP/1.1 204')
  return isRefused ? 'none' : answer === undefined ? 'other' : 'stopped'
}

/** Finds the instance of the emulator on a port; `undefined` if there is none. */
export async function findInstance(port: number): Promise<string | undefined> {
  const { answer = '' } = await ask(port, 'HEAD', 'HTTP/1.1 200')
  return new RegExp(`^${emulatorHeader}: (\\w+)\r$`, 'im').exec(answer)?.[1]
}

/** Sends a request to the control path. Reads the headers for HEAD, otherwise until the server closes the connection. */
function ask(
  port: number,
  method: string,
  accepted: string,
): Promise<{ readonly isRefused: boolean; readonly answer?: string }> {
  return new Promise(resolve => {
    const socket = createConnection({ host: loopback, port, timeout: timeoutMs })
    let answer = ''
    let isRefused = false
    socket.write(`${method} ${controlPath} HTTP/1.1\r\nHost: ${loopback}:${port}\r\n\r\n`)
    socket.setEncoding('latin1').on('data', (text: string) => {
      answer += text
      const isOther = !answer.startsWith(accepted.slice(0, answer.length))
      if (isOther || (method === 'HEAD' && answer.includes('\r\n\r\n'))) socket.destroy()
    })
    socket.on('timeout', () => socket.destroy())
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      isRefused = code === 'ECONNREFUSED'
    })
    socket.on('close', () => resolve({ isRefused, ...(answer.startsWith(accepted) && { answer }) }))
  })
}
