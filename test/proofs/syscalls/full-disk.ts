import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { bringToEnd, type Judged } from '../processes/bring-to-end.js'
import { runApply } from '../processes/landform-process.js'
import { placeIn } from '../processes/place.js'
import type { RealSites } from '../processes/real-site.js'

/** A disk with a limited size, or a limited number of files. */
export type Disk = `size=${number}k` | `nr_inodes=${number}`

/** Lists disks that become full at different moments of an apply. */
export function smallDisks(count: number): readonly Disk[] {
  return Array.from({ length: count }, (_, at) =>
    at % 2 === 0 ? (`size=${4 * (at / 2 + 1)}k` as const) : (`nr_inodes=${(at - 1) / 2 + 2}` as const),
  )
}

export interface Filled extends Judged {
  readonly isFull: boolean
}

/** Runs `landform apply` with its state on a small disk. Then enlarges the disk, and completes the site with further runs. */
export async function onFullDisk(below: string, sites: RealSites, url: string, disk: Disk): Promise<Filled> {
  const place = await placeIn(await mkdtemp(join(below, 'disk-')), 'file', url)
  const home = join(place.file, '..', '.landform')
  await mkdir(home)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `mode=0700,${disk}`, 'none', home])
  try {
    const { exitCode: first } = await runApply(place, { seconds: 3 })
    execFileSync('mount', ['-o', 'remount,size=4m,nr_inodes=1000', home])
    const { codes, violations } = await bringToEnd(place, sites, { first, seconds: 3 })
    return { isFull: first !== 0, codes, violations }
  } finally {
    execFileSync('umount', [home])
  }
}

/** Returns the reason why no disk can be mounted here, or `undefined`. */
export function noDisk(folder: string): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can mount a small disk'
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'none', folder]).status === 0
  if (mounted) execFileSync('umount', [folder])
  return mounted ? undefined : 'this machine does not allow mounts'
}
