import { checkManifest } from '../../diagnostics/check-manifest.js'
import { credentialHasItsSecretFields } from './credential-has-its-secret-fields.js'
import { entriesAreUnique } from './entries-are-unique.js'
import { extraParametersAreUnknown } from './extra-parameters-are-unknown.js'
import { fieldsExistInTheVersion } from './fields-exist-in-the-version.js'
import { numbersAreSentAsWritten } from './numbers-are-sent-as-written.js'
import { pathsStayInside } from './paths-stay-inside.js'
import { placeholdersAreFilledIn } from './placeholders-are-filled-in.js'
import type { Rule } from './rule.js'
import { stateLocationIsUsable } from './state-location-is-usable.js'
import { textsAreVisible } from './texts-are-visible.js'
import { urlIsUsable } from './url-is-usable.js'

/** The rules of the catalog, and those that need the reader of manifests or have several codes. */
export const rules: readonly Rule[] = [
  fieldsExistInTheVersion,
  placeholdersAreFilledIn,
  textsAreVisible,
  urlIsUsable,
  stateLocationIsUsable,
  pathsStayInside,
  checkManifest,
  credentialHasItsSecretFields,
  entriesAreUnique,
  extraParametersAreUnknown,
  numbersAreSentAsWritten,
]
