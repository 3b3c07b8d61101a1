import type { Series } from './series.js'
import {
  digestOfText,
  formatState,
  parseState,
  type SiteState,
  type StateContent,
  type StateEntry,
} from './site-state.js'
import type { StateReply } from './state-failure.js'

/** A version as it is kept: the next one names its text. */
export interface Link {
  readonly state: SiteState
  readonly text: string
}

/** What a version holds beside its place in the chain. */
export type LinkContent = StateContent & Pick<SiteState, 'lock'>

/** The versions of the state of one site, each of which names the text before it. */
export interface Chain {
  /** Where it is kept, as the user would name it. */
  readonly where: string
  /** The newest; `undefined` where nothing is kept yet. */
  newest(): Promise<StateReply<Link | undefined>>
  /** Adds a version after another; `undefined` where another run was first. */
  append(
    after: Link | undefined,
    entry: StateEntry,
    content: LinkContent,
  ): Promise<StateReply<Link | undefined>>
  /** Every version, the oldest first, once the chain has been found whole. */
  history(): Promise<StateReply<readonly SiteState[]>>
}

/** What a chain needs of the world. */
export interface ChainPorts {
  now(): number
  nonce(): string
  readonly tool: string
}

/** Makes a chain of the documents of a series. */
export function openChain(series: Series, site: string, ports: ChainPorts): Chain {
  const { where } = series
  return {
    where,
    async newest() {
      const newest = await series.newest()
      if (!newest.ok) return newest
      if (newest.value === undefined) return { ok: true, value: undefined }
      const state = parseState(newest.value, { site, where })
      return state.ok ? { ok: true, value: { state: state.value, text: newest.value.text } } : state
    },
    async append(after, entry, content) {
      const state: SiteState = {
        formatVersion: 1,
        site,
        lineage: after?.state.lineage ?? ports.nonce(),
        serial: (after?.state.serial ?? 0) + 1,
        previous: after === undefined ? null : digestOfText(after.text),
        writtenAt: new Date(ports.now()).toISOString(),
        tool: ports.tool,
        entry,
        ...content,
      }
      const text = formatState(state)
      const added = await series.add({ serial: state.serial, text })
      if (!added.ok) return added
      return { ok: true, value: added.value ? { state, text } : undefined }
    },
    history: () => readHistory(series, site),
  }
}

/** Each version must name the text before it: what was altered, taken out or put in shows. */
async function readHistory(series: Series, site: string): Promise<StateReply<readonly SiteState[]>> {
  const { where } = series
  const all = await series.all()
  if (!all.ok) return all
  const states: SiteState[] = []
  let expected: string | null = null
  for (const version of all.value) {
    const state = parseState(version, { site, where })
    if (!state.ok) return state
    if (state.value.previous !== expected) {
      const reason = { kind: 'broken-chain', serial: version.serial } as const
      return { ok: false, error: { kind: 'damaged', where, reason } }
    }
    states.push(state.value)
    expected = digestOfText(version.text)
  }
  return { ok: true, value: states }
}
