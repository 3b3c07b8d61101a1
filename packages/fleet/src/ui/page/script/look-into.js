import { byId } from '../../../../../../src/page/script/element.js'
import { fleet } from './fleet.js'
import { view } from './route.js'
import { clearSite, showProblem, showSite } from './site.js'

let isAsking = false
let isAskedAgain = false
let shownKey

/** Asks for the site of the address and shows it; while one answer is under way, once more after it at most. */
export async function lookInto() {
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
  lookInto()
}

/** What to show, or nothing where no answer came: what is shown stays. */
async function answered({ site, generation }) {
  const query = generation === undefined ? '' : `?generation=${generation}`
  try {
    const response = await fetch(`api/sites/${encodeURIComponent(site)}${query}`, { cache: 'no-store' })
    const document = await response.json()
    if (response.ok) return () => showSite(document)
    if (response.status !== 401) return () => showProblem(document.error.message)
    dispatchEvent(new Event('signed-out'))
  } catch {
    // The stream tells of a connection that is lost.
  }
  return undefined
}

/** Puts the view of one site in place of that of all, or back. Returns true where that is new. */
export function turnView() {
  const isOne = view.site !== undefined
  const isNew = byId('one').hidden === isOne
  byId('one').hidden = !isOne
  byId('all').hidden = isOne
  return isNew
}
