import { checkManifest } from '../../diagnostics/check-manifest.js'
import { cloudNamesAreAccepted } from './cloud-names-are-accepted.js'
import { credentialHasItsSecretFields } from './credential-has-its-secret-fields.js'
import { entriesAreUnique } from './entries-are-unique.js'
import { extraParametersAreUnknown } from './extra-parameters-are-unknown.js'
import { fieldsExistInTheVersion } from './fields-exist-in-the-version.js'
import { pathsStayInside, stateLocationIsUsable, urlIsUsable } from './locations.js'
import { numbersAreSentAsWritten } from './numbers-are-sent-as-written.js'
import type { Rule } from './rule.js'
import { placeholdersAreFilledIn, textsAreVisible } from './texts.js'

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
  cloudNamesAreAccepted,
  entriesAreUnique,
  extraParametersAreUnknown,
  numbersAreSentAsWritten,
]
