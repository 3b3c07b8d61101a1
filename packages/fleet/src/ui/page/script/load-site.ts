import { byId } from '../../../../../page/script/element.js'
import type { SiteView } from '../../../model/site-view.js'
import { fleet } from './fleet.js'
import { view } from './route.js'
import { clearSite, showProblem, showSite } from './site.js'

let isAsking = false
let isAskedAgain = false
let shownKey: string | undefined

/** Loads the site of the address and shows it; calls during a load cause one more. */
export async function loadSite(): Promise<void> {
  const { site, generation } = view
  if (site === undefined) return
  const key = JSON.stringify([site, generation])
  if (key !== shownKey) {
    clearSite(fleet.sites.get(site)?.name ?? site)
    shownKey = key
  }
  if (isAsking) {
    isAskedAgain = true
    return
  }
  isAsking = true
  const answer = await answered(site, generation)
  isAsking = false
  if (key === shownKey && answer !== undefined) answer()
  if (!isAskedAgain) return
  isAskedAgain = false
  await loadSite()
}

/** Returns a function that shows the response; without a response, the page stays unchanged. */
async function answered(site: string, generation: string | undefined): Promise<(() => void) | undefined> {
  const query = generation === undefined ? '' : `?generation=${generation}`
  try {
    const response = await fetch(`api/sites/${encodeURIComponent(site)}${query}`, { cache: 'no-store' })
    if (response.ok) {
      const found: SiteView = await response.json()
      return () => showSite(found)
    }
    const { error }: { readonly error: { readonly message: string } } = await response.json()
    if (response.status !== 401) return () => showProblem(error.message)
    dispatchEvent(new Event('signed-out'))
  } catch {
    // The event stream reports a lost connection.
  }
  return undefined
}

/** Switches between one site and all sites. */
export function turnView(): void {
  const isOne = view.site !== undefined
  byId('one').hidden = !isOne
  byId('all').hidden = isOne
}
