import { join } from 'node:path'
import { type Machine, thisMachine } from './machine.js'
import { createFile, hasPrivateFolder, makeFolder, readPrivate, temporaryName } from './private-file.js'
import { siteKey } from './series.js'

/** A request with an unknown outcome, and the location of the state that contains it. Nothing else of the manifest is noted. */
export interface IntentNote {
  readonly site: string
  /** `metadata.name`; absent if only the address is known. */
  readonly name?: string
  /** Identifies the manifest; absent for standard input. */
  readonly manifest?: string
  /** The state location, in a form that is valid everywhere on this machine. */
  readonly state: string
  /** The address to which the location led, unless its name contains it. */
  readonly address?: string
  /** The ID of the state's history. */
  readonly lineage: string
  readonly nonce: string
  readonly generation: number
  readonly recordedAt: string
  /** The emulator that the request was sent to. */
  readonly emulator?: string
}

/** The notes of the open submission intents of a machine: one file for each site, until the outcome is known. */
export interface IntentNotes {
  /** Returns the file of a site. */
  fileOf(site: string): string
  /** Reads the note of a site; `undefined` if there is none, or it cannot be read. */
  find(site: string): Promise<IntentNote | undefined>
  /** Reads all notes that can be read. */
  list(): Promise<readonly IntentNote[]>
  /** Adds the note of a site; false if there is one already, `undefined` if it cannot be written. */
  add(note: IntentNote): Promise<boolean | undefined>
  /** Removes a note, unless another one has replaced it. */
  remove(note: Pick<IntentNote, 'site' | 'nonce'>): Promise<void>
}

/** The version of the layout of a note. */
const noteFormat = 1

/** The notes of a machine that has no folder for them. */
const noNotes: IntentNotes = {
  fileOf: () => '',
  find: async () => undefined,
  list: async () => [],
  add: async () => undefined,
  remove: async () => undefined,
}

/** Opens the notes in a folder, which the first note creates. Without a folder, nothing can be noted. */
export function openIntentNotes(folder: string | undefined, machine: Machine = thisMachine): IntentNotes {
  if (folder === undefined) return noNotes
  const { disk } = machine
  const fileOf = (site: string) => join(folder, `${siteKey(site)}.json`)
  const read = async (path: string): Promise<IntentNote | undefined> => {
    const text = await readPrivate(disk, path)
    return text.ok ? parseNote(text.value) : undefined
  }
  const find = async (path: string): Promise<IntentNote | undefined> => {
    const note = await read(path)
    return note && fileOf(note.site) === path ? note : undefined
  }
  const isUsable = async () => {
    const has = await hasPrivateFolder(disk, folder, 'stat')
    return has.ok && has.value
  }
  return {
    fileOf,
    find: async site => ((await isUsable()) ? find(fileOf(site)) : undefined),
    async list() {
      if (!(await isUsable())) return []
      // A temporary file is not a note, because its name does not come from its site.
      const names = await disk.readdir(folder).catch(() => [])
      const notes = await Promise.all(names.map(name => find(join(folder, name))))
      return notes.flatMap(note => note ?? [])
    },
    async add(note) {
      try {
        await makeFolder(disk, folder)
        const text = `${JSON.stringify({ formatVersion: noteFormat, ...note }, null, 2)}\n`
        const temporary = join(folder, await temporaryName(machine))
        if (await createFile(disk, fileOf(note.site), { text, temporary })) return true
        return (await read(fileOf(note.site))) === undefined ? undefined : false
      } catch {
        return undefined
      }
    },
    async remove({ site, nonce }) {
      const kept = await read(fileOf(site))
      if (kept?.nonce === nonce) await disk.rm(fileOf(site), { force: true }).catch(() => undefined)
    },
  }
}

const optional = ['name', 'manifest', 'address', 'emulator'] as const
const texts = ['site', 'state', 'lineage', 'nonce', 'recordedAt'] as const

function parseNote(text: string): IntentNote | undefined {
  let stored: Readonly<Record<string, unknown>>
  try {
    stored = Object(JSON.parse(text)) as typeof stored
  } catch {
    return undefined
  }
  const isNote =
    stored['formatVersion'] === noteFormat &&
    texts.every(name => typeof stored[name] === 'string') &&
    URL.canParse(`${stored['site']}`) &&
    optional.every(name => ['string', 'undefined'].includes(typeof stored[name])) &&
    Number.isInteger(stored['generation'])
  const { formatVersion: _, ...note } = stored
  return isNote ? (note as unknown as IntentNote) : undefined
}
