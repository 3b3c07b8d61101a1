import { volumesWrapper } from '../../contract/structures.js'
import { volumeComponents, type volumeFields } from '../../contract/volumes.js'
import { isObject, type Json, member } from './json.js'
import {
  all,
  anyText,
  arrayCheck,
  type Check,
  choiceCheck,
  mapCheck,
  matching,
  record,
  text,
} from './shape.js'

const volume = record({
  // Every documented entry has DYNAMIC; others are not documented, so none is rejected.
  provisioningType: text,
  component: choiceCheck(volumeComponents),
  size: matching(/^\d+(?:\.\d+)?[A-Za-z]{1,2}$/, 'a storage quantity with a unit suffix'),
  storageClass: text,
  // Each entry has a tier and an app label, but their names are not documented.
  labels: mapCheck(anyText),
} satisfies Record<keyof typeof volumeFields, Check>)

const everyComponentOnce: Check = (value, place) => {
  const volumes = member(value, volumesWrapper) as readonly Json[]
  const components = volumes.map(entry => (isObject(entry) ? entry['component'] : undefined))
  const wrong = volumeComponents.find(
    wanted => components.filter(component => component === wanted).length !== 1,
  )
  return wrong === undefined ? undefined : `${place} must hold ${wrong} exactly once.`
}

/** The value of `volumesConfig`: a wrapper around one entry for each of the eight components. Service §2.4. */
export const volumesConfig: Check = all(record({ [volumesWrapper]: arrayCheck(volume) }), everyComponentOnce)
