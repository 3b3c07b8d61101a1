import { createHash } from 'node:crypto'
import type { Answer } from '../../page/answer.js'
import { html, script, style } from './generated.js'

/**
 * The page that shows the emulator at work. Its style and its script are allowed by what they are, and it talks to
 * nobody but the emulator it came from.
 */
export const pageAnswer: Answer = {
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
