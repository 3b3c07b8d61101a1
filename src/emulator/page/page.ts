import { createHash } from 'node:crypto'
import type { PageResponse } from '../../live-page/response.js'
import { html, script, style } from './generated.js'

/**
 * The page that shows the activity of the emulator. Its policy allows its style and its script by their digests, and
 * connections only to the emulator that served it.
 */
export const pageAnswer: PageResponse = {
  httpStatus: 200,
  contentType: 'text/html; charset=utf-8',
  content: html.replace('/* style */', () => style).replace('/* script */', () => script),
  policy: [
    "default-src 'none'",
    `style-src ${digest(style)}`,
    `script-src ${digest(script)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}

function digest(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
