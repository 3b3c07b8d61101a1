/** The columns that sort the table. */
export type Sort = 'need' | 'name' | 'stages' | 'age' | 'warnings' | 'retries'

export interface Filter {
  readonly states: Set<string>
  rollout: string
  search: string
}

interface View extends Filter {
  site: string | undefined
  generation: string | undefined
  sort: Sort
  isDown: boolean
  states: Set<string>
}

/** The view of the current address: `#/site/…`, or `#/?state=…&rollout=…&search=…`. */
export const view: View = {
  site: undefined,
  generation: undefined,
  sort: 'need',
  isDown: false,
  states: new Set(),
  rollout: '',
  search: '',
}

/** Reads the address; an invalid one shows all sites. */
export function readRoute(): void {
  const [path = '', query = ''] = location.hash.slice(1).split('?', 2)
  const [, encoded, generation] = /^\/site\/([^/]+)(?:\/(\d+))?$/.exec(path) ?? []
  view.site = decoded(encoded)
  view.generation = generation
  if (view.site !== undefined) return
  const asked = new URLSearchParams(query)
  view.states = new Set(asked.get('state')?.split(',').filter(Boolean))
  view.rollout = asked.get('rollout') ?? ''
  view.search = asked.get('search') ?? ''
}

/** Returns the address of one site, or of one run of it. */
export const siteHash = (site: string, generation?: number): string =>
  `#/site/${encodeURIComponent(site)}${generation === undefined ? '' : `/${generation}`}`

/** Returns the address of all sites with a filter: by default the current one. */
export function listHash({ states, rollout, search }: Partial<Filter> = view): string {
  const asked = new URLSearchParams()
  if (states !== undefined && states.size > 0) asked.set('state', [...states].join(','))
  if (rollout) asked.set('rollout', rollout)
  if (search) asked.set('search', search)
  const query = asked.toString().replaceAll('%2C', ',')
  return query === '' ? '#/' : `#/?${query}`
}

/** Stores the filter in the address, without a history entry for each letter. */
export function keepFilter(): void {
  if (view.site === undefined) history.replaceState(null, '', listHash())
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}
