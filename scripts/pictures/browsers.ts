import { existsSync } from 'node:fs'

/** Possible paths of Chromium, the headless one first, because it takes half the time. */
export const browsers = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The path of Chromium on this machine; `undefined` if it is not installed. */
export const browserPath = browsers.find(path => existsSync(path))
