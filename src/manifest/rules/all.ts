import { comparisonsHaveValues } from './comparisons-have-values.js'
import { connectionFitsTheProvider } from './connection-fits-the-provider.js'
import { credentialHasItsSecretFields } from './credential-has-its-secret-fields.js'
import { emailIsAnAddress } from './email-is-an-address.js'
import { everyComponentHasAVolume } from './every-component-has-a-volume.js'
import { existsCarriesNoValue } from './exists-carries-no-value.js'
import { extraParametersAreUnknown } from './extra-parameters-are-unknown.js'
import { fieldsExistInTheVersion } from './fields-exist-in-the-version.js'
import { pathsStayInside } from './paths-stay-inside.js'
import { questionIsChosenInOneWay } from './question-is-chosen-in-one-way.js'
import type { Rule } from './rule.js'
import { urlIsUsable } from './url-is-usable.js'
import { usernameIsLongEnough } from './username-is-long-enough.js'
import { versionHasConfigure } from './version-has-configure.js'

/** Every rule of a manifest. */
export const rules: readonly Rule[] = [
  versionHasConfigure,
  fieldsExistInTheVersion,
  urlIsUsable,
  pathsStayInside,
  usernameIsLongEnough,
  emailIsAnAddress,
  questionIsChosenInOneWay,
  everyComponentHasAVolume,
  credentialHasItsSecretFields,
  connectionFitsTheProvider,
  comparisonsHaveValues,
  existsCarriesNoValue,
  extraParametersAreUnknown,
]
