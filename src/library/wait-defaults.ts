import { isLoopback } from '../manifest/site-url.js'

/** The default timeout of a wait: three hours. */
export const defaultTimeoutMs = 3 * 3_600_000

/** Returns the default time between two polls: a site on this machine is an emulator, and its stages are short. */
export function defaultPollMs(url: string): number {
  return isLoopback(new URL(url).hostname) ? 200 : 5000
}
