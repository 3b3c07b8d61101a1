import type { IncomingMessage } from 'node:http'
import { controlSegment } from '../check-base-path.js'

/** The prefix of everything that the emulator reports on itself. */
export const controlPath = `/${controlSegment}/`

/**
 * Finds the part of the control path that a request asks for: `''` is the page, which a browser also finds at `/` if that
 * is not the service itself. Every other request belongs to the service, even a GET of `/` by a program.
 */
export function findControlName({ method, url = '', headers }: IncomingMessage, basePath: string) {
  const [path = ''] = url.split('?', 1)
  if (`${path}/` === controlPath) return ''
  if (path.startsWith(controlPath)) return path.slice(controlPath.length)
  const browses = method === 'GET' && headers.accept?.includes('text/html') === true
  return browses && url === '/' && basePath !== '' ? '' : undefined
}
