import { fileBackend } from '../../../src/state/file-backend.js'
import type { Disk, Machine } from '../../../src/state/machine.js'
import type { Series } from '../../../src/state/series.js'
import { judge } from '../judge/judge.js'
import { type DataLoss, type DiskKind, dataLosses, diskFaults, type SimDisk, simDisk } from './disk.js'

/** A fault at the call with a number: an error, a crash of the process, or a power loss. */
export type Mishap =
  | { readonly at: number; readonly name: string }
  /** `names` has a bit for each change of a name that survives. */
  | { readonly at: number; readonly name: 'power'; readonly names: number; readonly data: DataLoss }

/** A call, and what a power loss before it could undo: the number of name changes, and whether there is unflushed data. */
interface DiskCallMade {
  readonly kind: DiskKind
  readonly names: number
  readonly hasData: boolean
}

export interface Written {
  readonly calls: readonly DiskCallMade[]
  readonly violations: readonly string[]
}

const site = 'https://gis.example.org/arcgis/admin'
const existing = '/runner'
const home = `${existing}/state/landform`
const versions = 3
const mostProcesses = 8

/** Writes some versions with the real backend. If a process ends early, another continues, until all versions exist. */
export async function writtenOn(
  mishaps: readonly Mishap[],
  change: (disk: Disk) => Disk = disk => disk,
): Promise<Written> {
  const disk = simDisk([existing])
  const calls: DiskCallMade[] = []
  const found: string[] = []
  const dead = new Set<number>()
  let made = 0
  let isWritten = false
  const lose = (names: number, data: DataLoss) =>
    disk.losePower({ keepsName: number => ((names >> number) & 1) === 1, data })
  const write = async (pid: number, ends: () => void): Promise<void> => {
    const reached = disk.reachedBy((kind, perform) => {
      const mishap = mishaps.find(({ at }) => at === calls.length)
      calls.push({ kind, names: disk.unflushedNames, hasData: disk.hasUnflushedData })
      if (mishap !== undefined && 'data' in mishap) lose(mishap.names, mishap.data)
      if (mishap?.name === 'power' || mishap?.name === 'crash') {
        ends()
        return new Promise(() => undefined)
      }
      return Promise.resolve().then(() => perform(mishap?.name))
    })
    const series = seriesOn(change(reached), pid, dead)
    const newest = await series.newest()
    for (let serial = (newest.ok ? (newest.value?.serial ?? 0) : 0) + 1; serial <= versions; serial += 1) {
      const added = await series.add({ serial, text: textOf(serial) })
      if (!added.ok) return
      if (added.value) made = serial
    }
    isWritten = newest.ok
  }
  for (let pid = 1; pid <= mostProcesses; pid += 1) {
    await new Promise<void>(ends => {
      void write(pid, ends).then(ends)
    })
    dead.add(pid)
    found.push(...(await judgeDisk(disk, made)).map(text => `after process ${pid}: ${text}`))
    if (isWritten || found.length > 0) break
  }
  if (!isWritten && found.length === 0) found.push('I5: not all versions could be written')
  lose(0, 'gone')
  found.push(...(await judgeDisk(disk, made)).map(text => `after a power loss at the end: ${text}`))
  return { calls, violations: found }
}

function seriesOn(disk: Disk, pid: number, dead: ReadonlySet<number>): Series {
  const machine: Machine = {
    disk,
    self: async () => ({ host: 'runner', pid }),
    liveness: async holder => (dead.has(holder.pid) ? 'dead' : 'alive'),
  }
  return fileBackend(home, machine).series(site)
}

/** Judges the stored versions, as the next process would read them. */
async function judgeDisk(disk: SimDisk, made: number): Promise<readonly string[]> {
  const reached = disk.reachedBy(async (_, perform) => perform())
  return judge({ versions: { made, kept: await seriesOn(reached, 0, new Set()).all(), textOf } })
}

function textOf(serial: number): string {
  return `${serial} ${'x'.repeat(20)} ${serial}`
}

/** Writes with no mishap, with each single one, and if `pairs` is `all` with each two, for every outcome of a power loss. */
export async function* everyRecipe(
  pairs: 'no' | 'all',
  change?: (disk: Disk) => Disk,
): AsyncGenerator<{ readonly mishaps: readonly Mishap[]; readonly written: Written }> {
  const none = await writtenOn([], change)
  yield { mishaps: [], written: none }
  for await (const one of after([], none, change)) {
    yield one
    if (pairs === 'all') yield* after(one.mishaps, one.written, change)
  }
}

/** Writes with one more mishap, at each call after the last one. */
async function* after(
  former: readonly Mishap[],
  { calls }: Written,
  change?: (disk: Disk) => Disk,
): AsyncGenerator<{ readonly mishaps: readonly Mishap[]; readonly written: Written }> {
  for (let at = (former.at(-1)?.at ?? -1) + 1; at < calls.length; at += 1) {
    const call = calls[at]
    if (call === undefined) return
    const { kind, names, hasData } = call
    for (const name of ['crash', ...diskFaults[kind]]) {
      const mishaps = [...former, { at, name }]
      yield { mishaps, written: await writtenOn(mishaps, change) }
    }
    for (const data of hasData ? dataLosses : dataLosses.slice(0, 1))
      for (let kept = 0; kept < 2 ** names; kept += 1) {
        const mishaps: readonly Mishap[] = [...former, { at, name: 'power', names: kept, data }]
        yield { mishaps, written: await writtenOn(mishaps, change) }
      }
  }
}
