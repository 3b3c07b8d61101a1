import { html, script, style } from './page/generated.js'

/** A file of the page. */
export interface PageFile {
  readonly path: string
  readonly type: string
  readonly content: string
}

/** Everything is loaded from this server, nothing is inline, and no text becomes markup. */
export const policy = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  connectSrc: ["'self'"],
  imgSrc: ["'self'"],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
  requireTrustedTypesFor: ["'script'"],
  trustedTypes: ["'none'"],
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M1 13 6 4l3 5 2-3 4 7z" fill="#2a7d5f"/></svg>`

/** Lists the files; only a page with a sign-in has a button to sign out. */
export function listPageFiles(hasSignIn: boolean): readonly PageFile[] {
  const content = hasSignIn ? html.replace(/( id="sign-out"[^>]*) hidden/, '$1') : html
  return [
    { path: '/', type: 'text/html; charset=utf-8', content },
    { path: '/page.css', type: 'text/css; charset=utf-8', content: style },
    { path: '/page.js', type: 'text/javascript; charset=utf-8', content: script },
    { path: '/icon.svg', type: 'image/svg+xml', content: icon },
  ]
}
