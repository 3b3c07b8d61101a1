import type { Holder } from '../../src/plan/submission.js'
import { fileBackend } from '../../src/state/file-backend.js'
import { liveness, thisProcess } from '../../src/state/machine.js'
import type { StateStore } from '../../src/state/ports.js'
import { type SiteState, type StateContent, selectContent } from '../../src/state/site-state.js'
import { stateStore } from '../../src/state/state-store.js'
import { deadPid } from './processes.js'
import { statePortsFor } from './some-state.js'

/** Returns holders: a process of this machine that has ended, one of another machine, and this one. */
export async function someHolders(): Promise<Readonly<Record<'dead' | 'elsewhere' | 'alive', Holder>>> {
  const alive = await thisProcess()
  return { alive, dead: { ...alive, pid: deadPid }, elsewhere: { host: 'another-runner', pid: 7 } }
}

/** Returns a store for a site in a folder, as the given process would write it. */
export function keptBy(holder: Holder, where: { readonly folder: string; readonly url: string }): StateStore {
  const now = () => Date.UTC(2026, 0, 2, 3, 0, 0)
  const ports = statePortsFor(now, { self: async () => holder, liveness })
  return stateStore(fileBackend(where.folder), { url: where.url }, ports)
}

/** Writes a content as one run would. By default the run then releases the lock. */
export async function keep(
  store: StateStore,
  content: Partial<StateContent>,
  end: 'lets go' | 'keeps it' = 'lets go',
): Promise<SiteState> {
  const taken = await store.take('apply')
  if (taken.kind !== 'held') throw new Error(`the site is ${taken.kind}`)
  const { submission } = content
  await taken.held.write({ type: 'submission', state: submission?.state ?? 'intent' }, before => ({
    ...before,
    ...content,
  }))
  if (end === 'lets go') await taken.held.release({ type: 'released' })
  const newest = await store.read()
  if (!newest.ok || newest.value === undefined) throw new Error('nothing was kept')
  return newest.value
}

/** Reads the current content. */
export async function kept(store: StateStore): Promise<StateContent> {
  const newest = await store.read()
  if (!newest.ok) throw new Error(newest.error.reason.kind)
  return selectContent(newest.value)
}
