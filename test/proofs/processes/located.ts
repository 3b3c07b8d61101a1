import { openLocation } from '../../../src/library/open-state.js'
import { parseStateLocation } from '../../../src/manifest/state-location.js'
import type { StateBackend } from '../../../src/state/series.js'

/** Opens state in object storage or a cluster by its location, as a command does. */
export function located(place: string): StateBackend {
  const parsed = parseStateLocation(place)
  if (!parsed.ok || parsed.value.kind === 'postgres') throw new Error(place)
  const { value: location } = parsed
  const opened = openLocation({ location, folder: '.' }, { environment: process.env, gitFolder: '.' })
  if (!('series' in opened)) throw new Error(place)
  return opened
}
