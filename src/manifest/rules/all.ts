import { bucketHasARegion } from './bucket-has-a-region.js'
import { cloudServicesAreDocumented } from './cloud-services-are-documented.js'
import { comparisonsHaveValues } from './comparisons-have-values.js'
import { connectionFitsTheProvider } from './connection-fits-the-provider.js'
import { credentialHasItsSecretFields } from './credential-has-its-secret-fields.js'
import { demandsHaveTerms } from './demands-have-terms.js'
import { developmentIsNotProduction } from './development-is-not-production.js'
import { emailIsAnAddress } from './email-is-an-address.js'
import { entriesAreUnique } from './entries-are-unique.js'
import { equalComparesAnEffect } from './equal-compares-an-effect.js'
import { existsCarriesNoValue } from './exists-carries-no-value.js'
import { extraParametersAreUnknown } from './extra-parameters-are-unknown.js'
import { fieldsExistInTheVersion } from './fields-exist-in-the-version.js'
import { labelKeysHaveTheirForm } from './label-keys-have-their-form.js'
import { labelValuesHaveTheirForm } from './label-values-have-their-form.js'
import { logLevelIsReported } from './log-level-is-reported.js'
import { managedIdentityFitsTheVersion } from './managed-identity-fits-the-version.js'
import { numbersAreSentAsWritten } from './numbers-are-sent-as-written.js'
import { pathsStayInside } from './paths-stay-inside.js'
import { placeholdersAreFilledIn } from './placeholders-are-filled-in.js'
import { preferencesMayBeRejected } from './preferences-may-be-rejected.js'
import { presenceTakesNoValues } from './presence-takes-no-values.js'
import { profileFitsTheVersion } from './profile-fits-the-version.js'
import { providerIsNamedAsReported } from './provider-is-named-as-reported.js'
import { questionIsChosenInOneWay } from './question-is-chosen-in-one-way.js'
import type { Rule } from './rule.js'
import { serverLicenseFitsTheVersion } from './server-license-fits-the-version.js'
import { signInNamesOneAccount } from './sign-in-names-one-account.js'
import { stateLocationIsUsable } from './state-location-is-usable.js'
import { systemPropertiesAreSpeltAsReported } from './system-properties-are-spelt-as-reported.js'
import { termsHaveExpressions } from './terms-have-expressions.js'
import { textsAreVisible } from './texts-are-visible.js'
import { tolerationsNameTheirTaint } from './tolerations-name-their-taint.js'
import { urlIsUsable } from './url-is-usable.js'
import { userTypeIsReported } from './user-type-is-reported.js'
import { usernameHasNoSpace } from './username-has-no-space.js'
import { usernameHasReportedSymbols } from './username-has-reported-symbols.js'
import { usernameIsLongEnough } from './username-is-long-enough.js'
import { versionHasConfigure } from './version-has-configure.js'
import { versionIsDocumented } from './version-is-documented.js'

/** Every rule of a manifest. */
export const rules: readonly Rule[] = [
  versionHasConfigure,
  versionIsDocumented,
  fieldsExistInTheVersion,
  placeholdersAreFilledIn,
  textsAreVisible,
  urlIsUsable,
  stateLocationIsUsable,
  signInNamesOneAccount,
  pathsStayInside,
  serverLicenseFitsTheVersion,
  usernameIsLongEnough,
  usernameHasNoSpace,
  usernameHasReportedSymbols,
  userTypeIsReported,
  emailIsAnAddress,
  questionIsChosenInOneWay,
  developmentIsNotProduction,
  profileFitsTheVersion,
  labelKeysHaveTheirForm,
  labelValuesHaveTheirForm,
  credentialHasItsSecretFields,
  connectionFitsTheProvider,
  providerIsNamedAsReported,
  bucketHasARegion,
  cloudServicesAreDocumented,
  managedIdentityFitsTheVersion,
  logLevelIsReported,
  systemPropertiesAreSpeltAsReported,
  demandsHaveTerms,
  termsHaveExpressions,
  preferencesMayBeRejected,
  comparisonsHaveValues,
  presenceTakesNoValues,
  existsCarriesNoValue,
  tolerationsNameTheirTaint,
  equalComparesAnEffect,
  entriesAreUnique,
  extraParametersAreUnknown,
  numbersAreSentAsWritten,
]
