import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isPending, type Submission } from '../plan/submission.js'
import type { Chain, Link } from './chain.js'
import { overrideHeldState } from './held-state.js'
import type { HeldState, StateStore } from './ports.js'
import { emptyContent, type StateEntry } from './site-state.js'
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
    const place = noted.ok ? findOpenIntent(noted.value) : undefined
    if (!kept.ok || place === undefined || kept.value?.lineage === place.lineage) return kept
    const reason = { kind: 'intent-elsewhere', where: place.where } as const
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

/** Finds the state that holds a request with an unknown outcome, where that is noted. */
function findOpenIntent(noted: Link | undefined): NonNullable<KeptIn> | undefined {
  const { submission, entry } = noted?.state ?? {}
  const isOpen = submission !== undefined && isPending(submission)
  return isOpen && entry?.type === 'submission' ? entry.keptIn : undefined
}

type KeptIn = Extract<StateEntry, { readonly type: 'submission' }>['keptIn']

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
