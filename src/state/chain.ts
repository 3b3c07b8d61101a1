import type { Series } from './series.js'
import {
  digestOfText,
  formatState,
  parseState,
  type SiteState,
  type StateContent,
  type StateEntry,
  stateFormat,
} from './site-state.js'
import type { StateReply } from './state-failure.js'

/** A version with its stored text, whose digest the next version names. */
export interface Link {
  readonly state: SiteState
  readonly text: string
}

/** The content of a version, beside its position in the chain. */
export type LinkContent = StateContent & Pick<SiteState, 'lock'>

/** The versions of the state of one site, each of which names the digest of the text before it. */
export interface Chain {
  /** The place of the chain, as the user would name it. */
  readonly where: string
  /** Reads the newest version; `undefined` where nothing is kept yet. */
  newest(): Promise<StateReply<Link | undefined>>
  /** Adds a version after another; `undefined` where another run was first. */
  append(
    after: Link | undefined,
    entry: StateEntry,
    content: LinkContent,
  ): Promise<StateReply<Link | undefined>>
  /** Reads every version, the oldest first, and verifies the chain. */
  history(): Promise<StateReply<readonly SiteState[]>>
}

/** The clock, nonces and tool name that a chain needs. */
export interface ChainPorts {
  now(): number
  nonce(): string
  readonly tool: string
}

/** Opens the chain that the documents of a series form. */
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
        formatVersion: stateFormat,
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

/** Reads every version, and verifies that each names the text before it: altered, lost and added ones are found. */
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
