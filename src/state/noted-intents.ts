import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { areTwoEmulators } from '../manifest/site-url.js'
import { isPending } from '../plan/submission.js'
import { overrideHeldState } from './held-state.js'
import type { IntentNote, IntentNotes } from './intent-notes.js'
import type { HeldState } from './ports.js'
import type { DeclaredSite, StateBackend } from './series.js'
import type { SiteNotes } from './site-chains.js'

/** Finds Landform's folder for lasting data on this machine; `undefined` if the environment names no existing home. */
export function findStateFolder({
  XDG_STATE_HOME: state,
  HOME: home,
  LOCALAPPDATA: local,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  const folder = state || local || (home && existsSync(home) && join(home, '.local', 'state'))
  return folder ? join(folder, 'landform') : undefined
}

/** Adds the user's home folder to an environment without one. */
export function withHome(environment: Readonly<Record<string, string | undefined>>) {
  return { HOME: homedir(), ...environment }
}

/** The notes, and the site of one note. */
interface NotesOptions {
  readonly notes: IntentNotes
  readonly site: DeclaredSite
  /** The place of the state, in a form that is valid everywhere on this machine. */
  readonly where: string
  /** Finds the address to which the name of the place leads from here. */
  readonly address?: StateBackend['address'] | undefined
  /** True if an emulator no longer runs at an address. */
  isEmulatorGone(site: string, emulator: string): Promise<boolean>
}

/** Opens the note of a site. */
export function openSiteNotes(options: NotesOptions): SiteNotes {
  const { notes, site, isEmulatorGone } = options
  const { url, name, manifest } = site
  const unlessGone = async (note: IntentNote | undefined) => {
    if (note?.emulator === undefined || !(await isEmulatorGone(note.site, note.emulator))) return note
    await notes.remove(note)
    return undefined
  }
  return {
    file: notes.fileOf(url),
    find: async () => unlessGone(await notes.find(url)),
    async findFormer() {
      const isFormer = ({ site: other, name: before, ...one }: IntentNote) =>
        one.manifest === manifest && before !== name && other !== url && !areTwoEmulators(other, url)
      const all = manifest === undefined ? [] : await notes.list()
      const former = await unlessGone(all.find(isFormer))
      if (former?.name === undefined) return undefined
      return { name: former.name, site: former.site, where: notes.fileOf(former.site) }
    },
    forget: note => notes.remove(note),
    watch: held => noteIntents(held, options),
  }
}

/**
 * Notes a submission intent before its request can be sent, unless another run on this machine has one. The run that
 * learns the outcome removes the note when it ends. Until then, a run that observed the site earlier cannot send a
 * request.
 */
function noteIntents(held: HeldState, { notes, site, where, address: findAddress }: NotesOptions): HeldState {
  const { url, name, manifest } = site
  const buildNote = (address: string | undefined): IntentNote | undefined => {
    const { submission } = held.content
    if (submission === undefined) return undefined
    const { nonce, generation, intendedAt, site: mark } = submission
    return {
      site: url,
      ...(name !== undefined && { name }),
      ...(manifest !== undefined && { manifest }),
      state: where,
      ...(address !== undefined && { address }),
      lineage: held.lineage,
      nonce,
      generation,
      recordedAt: intendedAt,
      ...(mark?.emulator !== undefined && { emulator: mark.emulator }),
    }
  }
  let unnoted: HeldState['unnoted']
  return overrideHeldState(held, {
    get unnoted() {
      return unnoted
    },
    async write(entry, change) {
      const written = await held.write(entry, change)
      if (!written.ok || entry.type !== 'submission') return written
      const isIntent = entry.state === 'intent'
      if (!isIntent && entry.state !== 'acknowledged') return written
      const note = buildNote(await findAddress?.())
      if (note === undefined) return written
      if (!isIntent) {
        // Without the manifest, the note of an accepted request does not block a manifest that declares another site later.
        const { manifest: _, ...accepted } = note
        await notes.remove(note)
        await notes.add(accepted)
        return written
      }
      const added = await notes.add(note)
      const file = notes.fileOf(url)
      // An emulator is not a real site, so its note may be lost.
      const isLost = added === undefined && note.emulator === undefined
      unnoted = isLost ? { ...(file !== '' && { folder: dirname(file) }) } : undefined
      // An existing note belongs to another run.
      if (added !== false) return written
      const reason = { kind: 'other-intent' } as const
      return { ok: false, error: { kind: 'overtaken', where: notes.fileOf(url), reason } }
    },
    async release(entry) {
      const released = await held.release(entry)
      const { submission } = held.content
      if (released.ok && submission !== undefined && !isPending(submission))
        await notes.remove({ site: url, nonce: submission.nonce })
      return released
    },
  })
}
