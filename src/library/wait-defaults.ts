import { isLoopback } from '../manifest/site-url.js'

/** The longest that a wait takes unless somebody says otherwise: three hours. */
export const defaultTimeoutMs = 3 * 3_600_000

/** Time between two looks: a site on this machine is an emulator, and its stages are short. */
export function defaultPollMs(url: string): number {
  return isLoopback(new URL(url).hostname) ? 200 : 5000
}
