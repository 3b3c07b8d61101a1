import type { JsonPointer } from '../schema/pointer.js'
import { administratorEntries } from './catalog/administrator.js'
import { cloudEntries } from './catalog/cloud.js'
import { clusterEntries } from './catalog/cluster.js'
import type { CatalogEntry, Fix, Severity } from './catalog/entry.js'
import { extendsEntries } from './catalog/extends.js'
import { ignoreEntries } from './catalog/ignore.js'
import { kubernetesEntries } from './catalog/kubernetes.js'
import { licenseEntries } from './catalog/license.js'
import { manifestEntries } from './catalog/manifest.js'
import { placementEntries } from './catalog/placement.js'
import { policyEntries } from './catalog/policy.js'
import { propertiesEntries } from './catalog/properties.js'
import { referencesEntries } from './catalog/references.js'
import { scenarioEntries } from './catalog/scenario.js'
import { siteEntries } from './catalog/site.js'
import { stateEntries } from './catalog/state.js'
import { testEntries } from './catalog/test.js'
import { versionEntries } from './catalog/version.js'
import { volumeEntries } from './catalog/volume.js'
import { yamlEntries } from './catalog/yaml.js'
import type { Place, RelatedPlace } from './place.js'
import { quote } from './words.js'

/** Every code with its wording. A code that is not in the catalog does not exist. */
export const catalog = {
  ...yamlEntries,
  ...manifestEntries,
  ...extendsEntries,
  ...ignoreEntries,
  ...versionEntries,
  ...siteEntries,
  ...stateEntries,
  ...licenseEntries,
  ...referencesEntries,
  ...administratorEntries,
  ...kubernetesEntries,
  ...volumeEntries,
  ...cloudEntries,
  ...placementEntries,
  ...clusterEntries,
  ...policyEntries,
  ...scenarioEntries,
  ...propertiesEntries,
  ...testEntries,
} as const

export type DiagnosticCode = keyof typeof catalog

/** A problem in the user's files. Contains no secret value; its texts may contain untrusted characters. */
export interface Diagnostic {
  readonly code: DiagnosticCode
  readonly severity: Severity
  readonly message: string
  readonly pointer: JsonPointer
  readonly place?: Place
  /** The suggested correction, as text. */
  readonly help?: string
  /** The part of the value that is wrong. If the text contains it verbatim, the place is only that part. */
  readonly part?: string
  /** The automatic fix, if there is exactly one right correction. */
  readonly fix?: Fix
  /** Other places that explain this one, such as the line that extends its file. */
  readonly related?: readonly RelatedPlace[]
}

/** The facts that the wording of a code needs. */
export type DiagnosticFacts<C extends DiagnosticCode> = Parameters<(typeof catalog)[C]['message']>[0]

/** Creates a diagnostic with the wording of the catalog. */
export function diagnose<C extends DiagnosticCode>(
  code: C,
  pointer: JsonPointer,
  facts: DiagnosticFacts<C>,
): Diagnostic {
  const entry = catalog[code] as CatalogEntry<DiagnosticFacts<C>>
  const [help, fix, part] = [entry.help?.(facts), entry.fix?.(facts), entry.part?.(facts)]
  return {
    code,
    severity: entry.severity,
    message: entry.message(facts),
    pointer,
    ...(help !== undefined && { help }),
    ...(part !== undefined && { part }),
    ...(fix !== undefined && { fix }),
  }
}

/** Renames the files in the places of a diagnostic. */
export function renameFiles(diagnostic: Diagnostic, rename: (file: string) => string): Diagnostic {
  const renamePlace = (place: Place) => ({ ...place, file: rename(place.file) })
  const { place, related } = diagnostic
  const others = related?.map(one => ({ ...one, place: renamePlace(one.place) }))
  return { ...diagnostic, ...(place && { place: renamePlace(place) }), ...(others && { related: others }) }
}

/** A URL that replaces the one in the manifest, and its source. */
export interface ReplacedAddress {
  readonly url: string
  readonly by: 'url-option' | 'program'
}

const origins: Readonly<Record<ReplacedAddress['by'], string>> = {
  'url-option': '--url',
  program: 'the program',
}

/** Adds the actual URL to a diagnostic about the URL in the manifest. */
export function withReplacedAddress(diagnostic: Diagnostic, { url, by }: ReplacedAddress): Diagnostic {
  return { ...diagnostic, message: `${diagnostic.message}; ${origins[by]} replaces it with ${quote(url)}` }
}
