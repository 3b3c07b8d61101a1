import { existsSync } from 'node:fs'

/** Where Chromium may be, the one without a window first: it takes half the time. */
export const browsers = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** That of this machine; `undefined` without one. */
export const browserPath = browsers.find(path => existsSync(path))
