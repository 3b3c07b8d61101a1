import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Emulator } from '../../emulator/emulated-site.js'
import { findInstance } from '../../emulator/stop.js'
import { openNotes } from '../../library/open-state.js'
import { findStateFolder } from '../../state/noted-intents.js'
import type { Host } from '../host.js'

/** An emulator that runs on this machine, from its own note. */
interface RunningEmulator {
  readonly port: number
  /** The address of its first site. */
  readonly url: string
  /** The folder in which it was started. */
  readonly folder: string
  readonly startedAt: string
  readonly instance: string
}

function findFolder(environment: Host['environment']): string | undefined {
  const folder = findStateFolder(environment)
  return folder && join(folder, 'emulators')
}

/**
 * Writes a note about an emulator for as long as it runs. Returns a function that removes the note, and the submission
 * intents for this emulator. If the note cannot be written, the emulator runs without one.
 */
export async function noteEmulator({ url, instance }: Emulator, { environment, clock }: Host) {
  const folder = findFolder(environment)
  if (folder === undefined) return async () => undefined
  const { port } = new URL(url)
  const startedAt = new Date(clock.now()).toISOString()
  const note: RunningEmulator = { port: Number(port), url, folder: resolve('.'), startedAt, instance }
  const file = join(folder, `${port}.json`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
    .then(() => writeFile(file, `${JSON.stringify(note)}\n`, { mode: 0o600 }))
    .catch(() => undefined)
  return async () => {
    const notes = openNotes(environment)
    for (const one of await notes.list()) if (one.emulator === instance) await notes.remove(one)
    await rm(file, { force: true }).catch(() => undefined)
  }
}

/** Lists the running emulators by port, and removes the notes of those that were killed. */
export async function listEmulators(environment: Host['environment']): Promise<readonly RunningEmulator[]> {
  const folder = findFolder(environment)
  const names = folder === undefined ? [] : await readdir(folder).catch(() => [])
  const all = await Promise.all(names.map(name => readRunning(join(folder ?? '', name))))
  return all.flatMap(one => one ?? []).toSorted((one, other) => one.port - other.port)
}

async function readRunning(file: string): Promise<RunningEmulator | undefined> {
  try {
    const note = JSON.parse(await readFile(file, 'utf8')) as RunningEmulator
    if (Number.isInteger(note.port) && (await findInstance(note.port)) === note.instance) return note
    await rm(file, { force: true })
  } catch {}
  return undefined
}
