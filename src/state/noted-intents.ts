import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isPending, type Submission } from '../plan/submission.js'
import type { Chain, Link } from './chain.js'
import { overrideHeldState } from './held-state.js'
import type { HeldState, StateStore } from './ports.js'
import { emptyContent, type SiteState, type StateEntry } from './site-state.js'
import type { StateReply } from './state-failure.js'

/**
 * Finds the folder of a user for notes of submission intents; `undefined` where the environment names no existing home.
 */
export function findIntentsFolder({
  XDG_STATE_HOME: state,
  HOME: home,
  LOCALAPPDATA: local,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  const folder = state || local || (home && existsSync(home) && join(home, '.local', 'state'))
  return folder ? join(folder, 'landform', 'promises') : undefined
}

/**
 * Wraps the state of a site so that its open submission intents are also noted in one folder for all locations: two
 * runs with different state locations would each find empty state, and send `configure`. This is a second protection,
 * on one machine only: where the notes cannot be read or written, the state alone decides.
 */
export function withNotedIntents(
  store: StateStore,
  notes: Chain,
  /** The place of the state, as people anywhere on this machine would name it. */
  where: string,
): StateStore {
  const checked = async (noted: StateReply<Link | undefined>): ReturnType<StateStore['read']> => {
    const kept = await store.read()
    const intent = noted.ok ? findOpenIntent(noted.value) : undefined
    if (!kept.ok || intent === undefined || holdsIntent(kept.value, intent)) return kept
    const isBehind = kept.value?.lineage === intent.keptIn.lineage
    const reason = {
      kind: isBehind ? 'intent-missing' : 'intent-elsewhere',
      where: intent.keptIn.where,
    } as const
    return { ok: false, error: { kind: 'promised-elsewhere', where: notes.where, reason } }
  }
  return {
    ...store,
    read: async () => checked(await notes.newest()),
    async take(purpose, isExpected) {
      const noted = await notes.newest()
      if (noted.ok && findOpenIntent(noted.value) !== undefined) {
        const kept = await checked(noted)
        if (!kept.ok) return { kind: 'failed', failure: kept.error }
      }
      const taken = await store.take(purpose, isExpected)
      if (taken.kind !== 'held' || !noted.ok) return taken
      return { ...taken, held: await noteIntents(taken.held, { notes, noted: noted.value, where }) }
    },
  }
}

/** A noted request with an unknown outcome, and the state that holds it. */
interface OpenIntent {
  readonly submission: Submission
  readonly keptIn: NonNullable<Extract<StateEntry, { readonly type: 'submission' }>['keptIn']>
}

/** Finds a request with an unknown outcome, where one is noted. */
function findOpenIntent(noted: Link | undefined): OpenIntent | undefined {
  const { submission, entry } = noted?.state ?? {}
  if (submission === undefined || !isPending(submission)) return undefined
  return entry?.type === 'submission' && entry.keptIn ? { submission, keptIn: entry.keptIn } : undefined
}

/**
 * True for the state that holds a noted request or a later one. The same history without it is an older copy, such as a
 * restored backup, and would send the request again.
 */
function holdsIntent(state: SiteState | undefined, { submission, keptIn }: OpenIntent): boolean {
  if (state?.lineage !== keptIn.lineage || state.submission === undefined) return false
  const { nonce, generation } = state.submission
  return nonce === submission.nonce || generation > submission.generation
}

interface NoteOptions {
  readonly notes: Chain
  readonly noted: Link | undefined
  readonly where: string
}

/**
 * Notes a submission intent before its request can be sent, and only if no other was noted since the site was taken. A
 * note whose outcome became known on another machine is updated first.
 */
async function noteIntents(held: HeldState, { notes, noted, where }: NoteOptions): Promise<HeldState> {
  let last = noted
  const note = async (state: Submission['state']): Promise<StateReply<void>> => {
    const entry = { type: 'submission', state, keptIn: { where, lineage: held.lineage } } as const
    const { submission } = held.content
    const added = await notes.append(last, entry, { ...emptyContent, ...(submission && { submission }) })
    if (added.ok && added.value !== undefined) last = added.value
    // A note that cannot be written is skipped; one that already exists is of another run.
    if (!added.ok || added.value !== undefined) return { ok: true, value: undefined }
    const reason = { kind: 'other-intent' } as const
    return { ok: false, error: { kind: 'overtaken', where: notes.where, reason } }
  }
  const { submission } = held.content
  if (findOpenIntent(noted) !== undefined && submission !== undefined && !isPending(submission))
    await note(submission.state)
  return overrideHeldState(held, {
    async write(entry, change) {
      const written = await held.write(entry, change)
      if (entry.type !== 'submission') return written
      if (entry.state !== 'intent') await note(entry.state)
      return entry.state === 'intent' && written.ok ? note('intent') : written
    },
  })
}
