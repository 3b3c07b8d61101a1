import { byId } from '../../../../../page/script/element.js'
import { fleet } from './fleet.js'
import { view } from './route.js'
import { clearSite, showProblem, showSite } from './site.js'

let isAsking = false
let isAskedAgain = false
let shownKey

/** Loads the site of the address and shows it; requests made meanwhile are combined into one more. */
export async function loadSite() {
  const key = JSON.stringify([view.site, view.generation])
  if (key !== shownKey) {
    clearSite(fleet.sites.get(view.site)?.name ?? view.site)
    shownKey = key
  }
  if (isAsking) {
    isAskedAgain = true
    return
  }
  isAsking = true
  const answer = await answered(view)
  isAsking = false
  if (key === shownKey && answer !== undefined) answer()
  if (!isAskedAgain || view.site === undefined) return
  isAskedAgain = false
  loadSite()
}

/** Returns a function that shows the response; `undefined` if there is none, which leaves the page as it is. */
async function answered({ site, generation }) {
  const query = generation === undefined ? '' : `?generation=${generation}`
  try {
    const response = await fetch(`api/sites/${encodeURIComponent(site)}${query}`, { cache: 'no-store' })
    const document = await response.json()
    if (response.ok) return () => showSite(document)
    if (response.status !== 401) return () => showProblem(document.error.message)
    dispatchEvent(new Event('signed-out'))
  } catch {
    // The event stream reports a lost connection.
  }
  return undefined
}

/** Switches between one site and all sites. Returns true if the view changed. */
export function turnView() {
  const isOne = view.site !== undefined
  const isNew = byId('one').hidden === isOne
  byId('one').hidden = !isOne
  byId('all').hidden = isOne
  return isNew
}
