import { join } from 'node:path'
import { type Disk, type Machine, thisMachine } from './machine.js'
import {
  collectLeftovers,
  createFile,
  flushFolder,
  hasPrivateFolder,
  isThere,
  makeFolder,
  readPrivate,
  temporaryName,
  toSystemReason,
} from './private-file.js'
import { type Series, type StateBackend, siteKey, type Version } from './series.js'
import type { StateFailure, StateReason, StateReply } from './state-failure.js'

/** Keeps the state of sites in a folder: each site has a folder there, and each version is a file. */
export function fileBackend(folder: string, machine: Machine = thisMachine): StateBackend {
  return {
    kind: 'file',
    where: `file:${folder}`,
    series: site => fileSeries(machine, folder, siteKey(site)),
  }
}

function fileSeries(machine: Machine, home: string, key: string): Series {
  const { disk } = machine
  const folder = join(home, key)
  const pathOf = (serial: number) => join(folder, fileName(serial))
  /** The newest version known to be flushed. */
  let flushed = 0
  const read = async (serial: number): Promise<StateReply<Version>> => {
    const text = await readPrivate(disk, pathOf(serial))
    return text.ok ? { ok: true, value: { serial, text: text.value } } : text
  }
  return {
    where: folder,
    async newest() {
      const count = await countVersions(disk, home, key)
      if (!count.ok) return count
      return count.value === 0 ? { ok: true, value: undefined } : read(count.value)
    },
    async add({ serial, text }) {
      const count = await countVersions(disk, home, key)
      if (!count.ok) return count
      if (count.value >= serial) return { ok: true, value: false }
      if (count.value < serial - 1) return failWith('damaged', pathOf(serial - 1), { kind: 'missing' })
      try {
        // The previous run may have died before flushing its version. A later version must not be durable without it.
        if (count.value === 0) await makeFolder(disk, folder)
        else if (count.value !== flushed) await flushFolder(disk, folder)
        await collectLeftovers(machine, folder)
        const temporary = join(folder, await temporaryName(machine))
        const created = await createFile(disk, pathOf(serial), { text, temporary })
        if (created) flushed = serial
        return { ok: true, value: created }
      } catch (error) {
        return failWith('unwritable', pathOf(serial), toWriteReason(error))
      }
    },
    async all(_, last = Number.POSITIVE_INFINITY) {
      const count = await countVersions(disk, home, key)
      if (!count.ok) return count
      const versions: Version[] = []
      for (let serial = Math.max(1, count.value - last + 1); serial <= count.value; serial += 1) {
        const version = await read(serial)
        if (!version.ok) return version
        versions.push(version.value)
      }
      return { ok: true, value: versions }
    },
  }
}

/** Formats the file name of a version, such as `000007.json`. */
function fileName(serial: number): string {
  return `${String(serial).padStart(6, '0')}.json`
}

/** Parses the file name of a version; zero for any other name. */
function parseSerial(name: string): number {
  const serial = Number.parseInt(name, 10)
  return name === fileName(serial) ? serial : 0
}

/** Counts the versions. A gap among them is damage, not the end. */
async function countVersions(disk: Disk, home: string, key: string): Promise<StateReply<number>> {
  const folder = join(home, key)
  const outer = await hasPrivateFolder(disk, home, 'stat')
  if (!outer.ok) return outer
  const names = await listNames(disk, folder)
  if (!names.ok) return names
  const serials = new Set(names.value.map(parseSerial).filter(serial => serial > 0))
  const count = [...serials].reduce((most, serial) => Math.max(most, serial), 0)
  for (let serial = 1; serial < count; serial += 1) {
    const path = join(folder, fileName(serial))
    // A listing that runs during a change may contain a later file without an earlier one.
    if (!serials.has(serial) && !(await isThere(disk, path)))
      return failWith('damaged', path, { kind: 'missing-before-later' })
  }
  return { ok: true, value: count }
}

/** Lists the names in a folder; empty if it does not exist. */
async function listNames(disk: Disk, folder: string): Promise<StateReply<readonly string[]>> {
  const has = await hasPrivateFolder(disk, folder, 'lstat')
  if (!has.ok) return has
  if (!has.value) return { ok: true, value: [] }
  try {
    return { ok: true, value: await disk.readdir(folder) }
  } catch (error) {
    return failWith('unreadable', folder, toSystemReason(error))
  }
}

function toWriteReason(error: unknown): StateReason {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  const hasNoLinks = syscall === 'link' && ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)
  return hasNoLinks ? { kind: 'no-hard-links', message: (error as Error).message } : toSystemReason(error)
}

function failWith(kind: StateFailure['kind'], where: string, reason: StateReason): StateReply<never> {
  return { ok: false, error: { kind, where, reason } }
}
