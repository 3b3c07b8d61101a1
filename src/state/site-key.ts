import { createHash } from 'node:crypto'

/**
 * A name for the state of a site, fit for a folder and for a git ref: its host, and a digest of the whole address, for
 * two sites may share a host.
 */
export function siteKey(site: string): string {
  // git takes no name with two dots in a row or one at the start, and a file system none that is too long.
  const host = new URL(site).host
    .replaceAll(/[^A-Za-z0-9.-]/g, '_')
    .replaceAll(/^\.|\.(?=\.)/g, '_')
    .slice(0, 100)
  return `${host}-${createHash('sha256').update(site).digest('hex').slice(0, 12)}`
}

/** True for what `siteKey` makes; other names in the same place are of somebody else. */
export function isSiteKey(name: string): boolean {
  return /^[A-Za-z0-9_-][\w.-]*-[0-9a-f]{12}$/.test(name)
}
