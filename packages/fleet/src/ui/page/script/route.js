/** The view of the current address: `#/site/…`, or `#/?state=…&rollout=…&search=…`. */
export const view = { site: undefined, generation: undefined, sort: 'need', isDown: false, ...noFilter() }

function noFilter() {
  return { states: new Set(), rollout: '', search: '' }
}

/** Reads the address; an invalid one shows all sites. */
export function readRoute() {
  const [path = '', query = ''] = location.hash.slice(1).split('?', 2)
  const [, encoded, generation] = /^\/site\/([^/]+)(?:\/(\d+))?$/.exec(path) ?? []
  view.site = decoded(encoded)
  view.generation = generation
  if (view.site !== undefined) return
  const asked = new URLSearchParams(query)
  Object.assign(view, noFilter(), {
    states: new Set(asked.get('state')?.split(',').filter(Boolean)),
    rollout: asked.get('rollout') ?? '',
    search: asked.get('search') ?? '',
  })
}

/** Returns the address of one site, or of one run of it. */
export const siteHash = (site, generation) =>
  `#/site/${encodeURIComponent(site)}${generation === undefined ? '' : `/${generation}`}`

/** Returns the address of all sites with the current filter. */
export function listHash({ states, rollout, search } = view) {
  const asked = new URLSearchParams()
  if (states.size > 0) asked.set('state', [...states].join(','))
  if (rollout !== '') asked.set('rollout', rollout)
  if (search !== '') asked.set('search', search)
  const query = asked.toString().replaceAll('%2C', ',')
  return query === '' ? '#/' : `#/?${query}`
}

/** Stores the filter in the address, without a history entry for each letter. */
export function keepFilter() {
  if (view.site === undefined) history.replaceState(null, '', listHash())
}

function decoded(text) {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}
