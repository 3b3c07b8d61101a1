import type { PageResponse } from '../../../../src/live-page/response.js'
import { html, script, style } from './page/generated.js'

/** Everything is loaded from this server, nothing is inline, and no text becomes markup. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M1 13 6 4l3 5 2-3 4 7z" fill="#2a7d5f"/></svg>`

const files: Readonly<Record<string, readonly [contentType: string, content: string]>> = {
  '/': ['text/html; charset=utf-8', html],
  '/page.css': ['text/css; charset=utf-8', style],
  '/page.js': ['text/javascript; charset=utf-8', script],
  '/icon.svg': ['image/svg+xml', icon],
}

/** Returns a file of the page. */
export function findPageFile(path: string): PageResponse | undefined {
  if (!Object.hasOwn(files, path)) return undefined
  const [contentType = '', content = ''] = files[path] ?? []
  return { httpStatus: 200, contentType, content, policy }
}
