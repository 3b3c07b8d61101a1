import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isPending, type Submission } from '../plan/submission.js'
import { append, type Chain, type ChainPorts, type Link, openChain } from './chain.js'
import { overrideHeldState } from './held-state.js'
import { buildManifestClaim, findFormerSite, openPathChain, rejectRenamed } from './manifest-claim.js'
import { holdsRequest } from './named-site.js'
import type { HeldState, StateStore } from './ports.js'
import type { DeclaredSite, StateBackend } from './series.js'
import { emptyContent, type SiteState, type StateEntry } from './site-state.js'
import type { StateFailure, StateReply } from './state-failure.js'

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
  { backend, site, ports, where }: NotesOptions,
): StateStore {
  const notes = openChain(backend, site.url, ports)
  const paths = site.file === undefined ? undefined : openPathChain(backend, site.file, ports)
  const readPaths = async () => (paths === undefined ? nothing : paths.newest())
  const look = async () => ({
    noted: await notes.newest(),
    former: await findFormerSite(await readPaths(), site, { backend, ports }),
  })
  const readChecked = async ({
    noted,
    former,
  }: Awaited<ReturnType<typeof look>>): ReturnType<StateStore['read']> => {
    const kept = await store.read()
    const intent = noted.ok ? findOpenIntent(noted.value) : undefined
    if (!kept.ok)
      return intent !== undefined && lacks(kept.error, intent) ? reject('intent-missing', intent) : kept
    if (former.ok && former.value !== undefined && kept.value === undefined)
      return rejectRenamed(notes.where, former.value, site.url)
    if (intent === undefined || holdsIntent(kept.value, intent)) return kept
    const isBehind = kept.value?.lineage === intent.keptIn.lineage
    return reject(isBehind ? 'intent-missing' : 'intent-elsewhere', intent)
  }
  const reject = (kind: 'intent-missing' | 'intent-elsewhere', { keptIn }: OpenIntent): StateReply<never> => {
    const reason = { kind, where: keptIn.where }
    return { ok: false, error: { kind: 'promised-elsewhere', where: notes.where, reason } }
  }
  return {
    ...store,
    read: async () => readChecked(await look()),
    async take(purpose, isExpected) {
      const seen = await look()
      const { noted, former } = seen
      const isDoubtful =
        (noted.ok && findOpenIntent(noted.value) !== undefined) || (former.ok && former.value !== undefined)
      const kept = isDoubtful ? await readChecked(seen) : undefined
      if (kept?.ok === false) return { kind: 'failed', failure: kept.error }
      const taken = await store.take(purpose, isExpected)
      if (taken.kind !== 'held' || !noted.ok) return taken
      const claim = async () => {
        const newest = await readPaths()
        if (paths === undefined || !newest.ok) return
        for (const one of buildManifestClaim(paths, newest.value, site)) await append(one)
      }
      return { ...taken, held: await noteIntents(taken.held, { notes, noted: noted.value, where, claim }) }
    },
  }
}

const nothing = { ok: true, value: undefined } as const

/** The place of the notes, and the site that they are about. */
interface NotesOptions {
  readonly backend: StateBackend
  readonly site: DeclaredSite
  readonly ports: ChainPorts
  /** The place of the state, as people anywhere on this machine would name it. */
  readonly where: string
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
  return state?.lineage === keptIn.lineage && holdsRequest(state.submission, submission)
}

/** True for state that its place, too, knows to lack the noted request. */
function lacks({ reason }: StateFailure, { submission }: OpenIntent): boolean {
  return reason.kind === 'missing-request' && reason.nonce === submission.nonce
}

interface NoteOptions {
  readonly notes: Chain
  readonly noted: Link | undefined
  readonly where: string
  /** Notes the manifest of an intent. */
  claim(): Promise<unknown>
}

/**
 * Notes a submission intent before its request can be sent, and only if no other was noted since the site was taken. A
 * note whose outcome became known on another machine is updated first.
 */
async function noteIntents(held: HeldState, { notes, noted, where, claim }: NoteOptions): Promise<HeldState> {
  let last = noted
  const note = async (state: Submission['state']): Promise<StateReply<void>> => {
    const entry = { type: 'submission', state, keptIn: { where, lineage: held.lineage } } as const
    const { submission } = held.content
    const content = { ...emptyContent, ...(submission && { submission }) }
    const added = await append({ chain: notes, after: last, entry, content })
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
      if (entry.state !== 'intent' || !written.ok) return written
      await claim()
      return note('intent')
    },
  })
}
