import {
  addressProperties,
  folderProperty,
  laterProfileProperty,
  licenseProperties,
  logLevelProperty,
  nameProperties,
  notMigratedProperties,
  plainProperties,
  unchangedProfile,
} from '../contract/configure-properties.js'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { findSimilar } from '../manifest/did-you-mean.js'
import { isSecret, secretPlaces } from './places.js'
import type { Property } from './read-properties.js'
import { knownStorageProperties } from './volumes-from.js'

const carried: readonly string[] = [
  ...Object.keys(plainProperties),
  ...nameProperties,
  ...Object.values(addressProperties),
  ...Object.keys(licenseProperties),
  ...Object.keys(secretPlaces),
  folderProperty,
  logLevelProperty,
  laterProfileProperty,
  ...knownStorageProperties,
]
const known = [...carried, ...Object.keys(notMigratedProperties)]

/** Reports a property without a place in the manifest; an empty one that is known needs no report. */
export function checkUnknownProperty(property: Property): readonly Diagnostic[] {
  const { name, written, value } = property
  const isLabel = /_STORAGE_LABEL_\d+$/.test(name) && known.includes(name.replace(/\d+$/, '1'))
  if (Object.hasOwn(notMigratedProperties, name)) {
    const because = notMigratedProperties[name as keyof typeof notMigratedProperties]
    return value === ''
      ? []
      : [placeDiagnostic(property, diagnose('properties/left-out', '', { name: written, because }))]
  }
  if (!known.includes(name) && !isLabel)
    return [
      placeDiagnostic(
        property,
        diagnose('properties/unknown', '', { name, suggestion: findSimilar(name, known) }),
      ),
    ]
  if (value === undefined && !isSecret(name))
    return [placeDiagnostic(property, diagnose('properties/shell', '', { name: written }))]
  return name === laterProfileProperty && value !== '' && value !== unchangedProfile
    ? [
        placeDiagnostic(
          property,
          diagnose('properties/left-out', '', { name: written, because: 'another-profile' }),
        ),
      ]
    : []
}

/** Puts a diagnostic at the place of a property. */
export function placeDiagnostic({ place }: Property, diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, place }
}
