import { createHash } from 'node:crypto'

/**
 * Makes a name for the state of a site that is valid for a folder and for a git ref: its host, and a digest of the
 * whole address, since two sites may share a host.
 */
export function siteKey(site: string): string {
  // git rejects names with two dots in a row or one at the start, and a file system rejects names that are too long.
  const host = new URL(site).host
    .replaceAll(/[^A-Za-z0-9.-]/g, '_')
    .replaceAll(/^\.|\.(?=\.)/g, '_')
    .slice(0, 100)
  return `${host}-${createHash('sha256').update(site).digest('hex').slice(0, 12)}`
}

/** True for names that `siteKey` makes; other names in the same place do not belong to Landform. */
export function isSiteKey(name: string): boolean {
  return /^[A-Za-z0-9_-][\w.-]*-[0-9a-f]{12}$/.test(name)
}
