import type { Series, StateBackend, Version } from './series.js'
import {
  digestOfText,
  formatState,
  parseState,
  type SiteState,
  type StateContent,
  type StateEntry,
  stateFormat,
  titleOf,
} from './site-state.js'
import type { StateReply } from './state-failure.js'

/** A version with its stored text; the next version contains the text's digest. */
export interface Link {
  readonly state: SiteState
  readonly text: string
}

/** The content of a version, without its position in the chain. */
export type LinkContent = StateContent & Pick<SiteState, 'lock'>

/** The versions of the state of one site. Each contains the digest of the text before it. */
export interface Chain {
  /** The place of the chain, as the user would name it. */
  readonly where: string
  /** Reads the newest version; `undefined` if there is none yet. */
  newest(): Promise<StateReply<Link | undefined>>
  /** Builds the version after another, without writing it. */
  build(after: Link | undefined, entry: StateEntry, content: LinkContent): Link
  /** Adds a version; false if another run added that one first. */
  add(link: Link): Promise<StateReply<boolean>>
  /**
   * Reads every version, or only the given number of last ones, oldest first. Verifies the chain of these, and selects
   * a value from each.
   */
  history<T = SiteState>(select?: (state: SiteState) => T, last?: number): Promise<StateReply<readonly T[]>>
}

/** The clock, nonces and tool name that a chain needs. */
export interface ChainPorts {
  now(): number
  nonce(): string
  readonly tool: string
}

/** Opens the chain of a site's documents. */
export function openChain(backend: StateBackend, site: string, ports: ChainPorts): Chain {
  const series = backend.series(site)
  const { where } = series
  const parse = (version: Version) => parseState(version, { site, where })
  return {
    where,
    async newest() {
      const newest = await series.newest(parse)
      if (!newest.ok) return newest
      if (newest.value === undefined) return { ok: true, value: undefined }
      const state = parse(newest.value)
      return state.ok ? { ok: true, value: { state: state.value, text: newest.value.text } } : state
    },
    build(after, entry, content) {
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
      return { state, text: formatState(state) }
    },
    add: link => series.add(toVersion(link)),
    history: (select, last) => readHistory(series, { parse, select, last }),
  }
}

function toVersion({ state, text }: Link): Version {
  return { serial: state.serial, text, title: titleOf(state) }
}

/** A version to add, with the version before it. */
export interface Append {
  readonly chain: Chain
  readonly after: Link | undefined
  readonly entry: StateEntry
  readonly content: LinkContent
}

/**
 * Adds versions to several chains of one place; all or none, if the place supports that. Returns those that were added,
 * in this order, up to the first that another run added before.
 */
export async function appendAll(
  { addTogether }: Pick<StateBackend, 'addTogether'>,
  appends: readonly Append[],
): Promise<StateReply<readonly Link[]>> {
  const built = appends.map(({ chain, after, entry, content }) => ({
    chain,
    link: chain.build(after, entry, content),
  }))
  const links = built.map(({ link }) => link)
  if (addTogether !== undefined && links.length > 1) {
    const added = await addTogether(links.map(link => ({ site: link.state.site, version: toVersion(link) })))
    return added.ok ? { ok: true, value: links.slice(0, added.value) } : added
  }
  for (const [at, { chain, link }] of built.entries()) {
    const added = await chain.add(link)
    if (!added.ok) return added
    if (!added.value) return { ok: true, value: links.slice(0, at) }
  }
  return { ok: true, value: links }
}

/** Adds a version to a chain; `undefined` if another run added that one first. */
export async function append(one: Append): Promise<StateReply<Link | undefined>> {
  const added = await appendAll({}, [one])
  return added.ok ? { ok: true, value: added.value[0] } : added
}

interface Selection<T> {
  parse(version: Version): StateReply<SiteState>
  readonly select: ((state: SiteState) => T) | undefined
  readonly last: number | undefined
}

/** Reads versions and verifies that each has the digest of the text before it. Detects altered, lost and added ones. */
async function readHistory<T>(
  series: Series,
  { parse, select = state => state as T, last }: Selection<T>,
): Promise<StateReply<readonly T[]>> {
  const { where } = series
  const all = await series.all(parse, last)
  if (!all.ok) return all
  const selected: T[] = []
  let expected: string | null = null
  for (const version of all.value.slice(-(last ?? all.value.length))) {
    const state = parse(version)
    if (!state.ok) return state
    if (selected.length === 0 && version.serial > 1) expected = state.value.previous
    if (state.value.previous !== expected) {
      const reason = { kind: 'broken-chain', serial: version.serial } as const
      return { ok: false, error: { kind: 'damaged', where, reason } }
    }
    selected.push(select(state.value))
    expected = digestOfText(version.text)
  }
  return { ok: true, value: selected }
}
