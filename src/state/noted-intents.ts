import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { areTwoEmulators } from '../manifest/site-url.js'
import { isPending } from '../plan/submission.js'
import { overrideHeldState } from './held-state.js'
import type { IntentNote, IntentNotes } from './intent-notes.js'
import { rejectRenamed } from './manifest-claim.js'
import { holdsRequest } from './named-site.js'
import type { HeldState, StateStore } from './ports.js'
import type { DeclaredSite } from './series.js'
import type { SiteState } from './site-state.js'
import type { StateFailure, StateReply } from './state-failure.js'

/** Finds the folder of Landform for what lasts on this machine; `undefined` where the environment names no existing home. */
export function findStateFolder({
  XDG_STATE_HOME: state,
  HOME: home,
  LOCALAPPDATA: local,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  const folder = state || local || (home && existsSync(home) && join(home, '.local', 'state'))
  return folder ? join(folder, 'landform') : undefined
}

/**
 * Wraps the state of a site so that its open submission intent is also noted in one folder for all locations: two
 * runs with different state locations would each find empty state, and send `configure`. This is a second protection,
 * on one machine only: where the notes cannot be read or written, the state alone decides.
 */
export function withNotedIntents(store: StateStore, options: NotesOptions): StateStore {
  const { notes, site } = options
  const readChecked = async (seen: Seen): ReturnType<StateStore['read']> => {
    const kept = await store.read()
    const { own, former } = seen
    if (!kept.ok) return own !== undefined && lacks(kept.error, own) ? reject('intent-missing', own) : kept
    if (former !== undefined && kept.value === undefined)
      return rejectRenamed(notes.fileOf(former.site), { ...former, name: String(former.name) }, site.url)
    if (own === undefined || holdsIntent(kept.value, own)) return kept
    return reject(kept.value?.lineage === own.lineage ? 'intent-missing' : 'intent-elsewhere', own)
  }
  const reject = (kind: 'intent-missing' | 'intent-elsewhere', { state }: IntentNote): StateReply<never> => {
    const reason = { kind, where: state }
    return { ok: false, error: { kind: 'promised-elsewhere', where: notes.fileOf(site.url), reason } }
  }
  return {
    ...store,
    read: async () => readChecked(await findOpenNotes(options)),
    async take(purpose, isExpected) {
      const seen = await findOpenNotes(options)
      const isDoubtful = seen.own !== undefined || seen.former !== undefined
      const kept = isDoubtful ? await readChecked(seen) : undefined
      if (kept?.ok === false) return { kind: 'failed', failure: kept.error }
      const taken = await store.take(purpose, isExpected)
      if (taken.kind !== 'held') return taken
      const { own } = seen
      const { submission } = taken.held.content
      if (own !== undefined && (submission?.nonce !== own.nonce || !isPending(submission)))
        await notes.remove(own)
      return { ...taken, held: noteIntents(taken.held, options) }
    },
  }
}

/** The notes, and the site that they are about. */
export interface NotesOptions {
  readonly notes: IntentNotes
  readonly site: DeclaredSite
  /** The place of the state, as people anywhere on this machine would name it. */
  readonly where: string
  /** True where an emulator no longer runs at an address. */
  isEmulatorGone(site: string, emulator: string): Promise<boolean>
}

/** The notes that may concern a site. */
interface Seen {
  /** Its own. */
  readonly own?: IntentNote
  /** Of another site that the same manifest declared before, with another name and another address. */
  readonly former?: IntentNote
}

/** Finds the notes that may concern a site, and removes those of emulators that are gone: they were nobody's site. */
async function findOpenNotes({ notes, site, isEmulatorGone }: NotesOptions): Promise<Seen> {
  const { url, name, file } = site
  const isFormer = (note: IntentNote) =>
    file !== undefined &&
    note.manifest === file &&
    note.name !== undefined &&
    note.name !== name &&
    !areTwoEmulators(note.site, url)
  const found: { own?: IntentNote; former?: IntentNote } = {}
  for (const note of (await notes.list()) ?? []) {
    const role = note.site === url ? 'own' : isFormer(note) ? 'former' : undefined
    if (role === undefined) continue
    const { emulator } = note
    if (emulator !== undefined && (await isEmulatorGone(note.site, emulator))) await notes.remove(note)
    else found[role] = note
  }
  return found
}

/**
 * True for the state that holds a noted request or a later one. The same history without it is an older copy, such as a
 * restored backup, and would send the request again.
 */
function holdsIntent(state: SiteState | undefined, note: IntentNote): boolean {
  return state?.lineage === note.lineage && holdsRequest(state.submission, note)
}

/** True for state that its place, too, knows to lack the noted request. */
function lacks({ reason }: StateFailure, { nonce }: IntentNote): boolean {
  return reason.kind === 'missing-request' && reason.nonce === nonce
}

/**
 * Notes a submission intent before its request can be sent, and only if no other run on this machine has one. The note
 * is removed with the end of a run that knows the outcome, wherever that became known. It lasts as long as the run, so that a
 * run that looked at the site before sends nothing meanwhile.
 */
function noteIntents(held: HeldState, { notes, site, where }: NotesOptions): HeldState {
  const { url, name, file: manifest } = site
  const buildNote = (): IntentNote | undefined => {
    const { submission } = held.content
    if (submission === undefined) return undefined
    const { nonce, generation, intendedAt, site: mark } = submission
    return {
      site: url,
      ...(name !== undefined && { name }),
      ...(manifest !== undefined && { manifest }),
      state: where,
      lineage: held.lineage,
      nonce,
      generation,
      recordedAt: intendedAt,
      ...(mark?.emulator !== undefined && { emulator: mark.emulator }),
    }
  }
  return overrideHeldState(held, {
    async write(entry, change) {
      const written = await held.write(entry, change)
      const note = buildNote()
      if (!written.ok || note === undefined || entry.type !== 'submission' || entry.state !== 'intent')
        return written
      // One that cannot be written is skipped; one that already exists is of another run.
      if ((await notes.add(note)) !== false) return written
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
