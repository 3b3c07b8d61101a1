import { knownParameters } from '../contract/fields.js'
import { reportedProfiles } from '../contract/profiles.js'
import {
  compareVersions,
  type ManifestVersion,
  newestReportedVersion,
  type ServiceVersion,
} from '../contract/versions.js'
import {
  anyMap,
  anyText,
  buildChoice,
  buildRecord,
  buildReference,
  describeField,
  longestText,
} from './fields.js'
import { apiVersion, dialect, type JsonSchema, kind, markAsRule } from './json-schema.js'
import { buildAdministratorDefinitions, buildSignInDefinitions } from './manifest/accounts.js'
import { buildFieldsBelow, listRequiredBelow } from './manifest/contract-fields.js'
import { buildPlacementDefinitions } from './manifest/placement.js'
import { buildSharedDefinitions } from './manifest/shared.js'
import { buildManifestSnippet } from './manifest/snippets.js'
import { buildCloudDefinitions, buildStorageDefinitions } from './manifest/storage.js'
import { newerFields } from './parameter-paths.js'

/** Builds the JSON Schema of a manifest for one service version, with exactly the fields of that version. */
export function buildManifestSchema(version: ManifestVersion): JsonSchema {
  const tooNew = newerFields.filter(({ since }) => compareVersions(since, version) > 0)
  const { Spec, ...others } = buildDefinitions(version)
  const spec = removeFields(
    Spec ?? {},
    tooNew.map(({ name }) => name),
  )
  const schema: JsonSchema = {
    $schema: dialect,
    title: 'SiteDeployment',
    description: `This is a Landform manifest for service version ${version}.`,
    ...buildEnvelope(),
    defaultSnippets: [buildManifestSnippet(version)],
    definitions: { Spec: spec, ...others },
  }
  return tooNew.length === 0 ? schema : pruneDefinitions(schema)
}

function buildEnvelope(): JsonSchema {
  return buildRecord(
    {
      apiVersion: describeField('The manifest format has this group and version.', 'Landform', {
        const: apiVersion,
      }),
      kind: describeField('The document is of this kind: it describes one site.', 'Landform', {
        const: kind,
      }),
      extends: describeField(
        'This manifest builds on a base, named by a path relative to this file. It is merged over the base: maps merge key by key, `null` removes.',
        'Landform',
        { type: 'string', minLength: 1, maxLength: longestText, examples: ['../base.yaml'] },
      ),
      metadata: buildReference('Metadata'),
      spec: buildReference('Spec'),
    },
    ['apiVersion', 'kind', 'metadata', 'spec'],
  )
}

function buildDefinitions(version: ServiceVersion): { readonly [name: string]: JsonSchema } {
  return {
    Spec: buildSpecDefinition(version),
    ...buildSharedDefinitions(),
    ...buildSignInDefinitions(),
    ...buildAdministratorDefinitions(),
    ...buildStorageDefinitions(),
    ...buildCloudDefinitions(version),
    ...buildPlacementDefinitions(),
  }
}

function removeFields(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const kept = Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name))
  return { ...schema, properties: Object.fromEntries(kept) }
}

/** Removes unreferenced definitions. */
function pruneDefinitions(schema: JsonSchema): JsonSchema {
  const reached = new Set<string>()
  const visit = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/definitions\/(\w+)"/g)) {
      if (reached.has(name)) continue
      reached.add(name)
      visit(schema.definitions?.[name] ?? {})
    }
  }
  visit({ ...schema, definitions: {} })
  const kept = Object.entries(schema.definitions ?? {}).filter(([name]) => reached.has(name))
  return { ...schema, definitions: Object.fromEntries(kept) }
}

let newest: JsonSchema | undefined

/** Returns the schema with the fields of all versions. It is built at the first call. */
export function newestSchema(): JsonSchema {
  newest ??= buildManifestSchema(newestReportedVersion)
  return newest
}

/** Builds the schema of `spec` for one version. Service §4.3, §4.4. */
function buildSpecDefinition(version: ServiceVersion): JsonSchema {
  // The most important fields first; the rest follows in the order of the contract.
  const { profile, volumes, cloudStorage, dataStores, folders, ...others } = buildFieldsBelow(
    '/spec',
    version,
  )
  return describeField(
    'This is what the site should be.',
    'Service §4.3, §4.4',
    buildRecord(
      {
        site: buildReference('Site'),
        state: describeField(
          'The state of the site is kept here: the submission intent, the lock and the record. Every run must use the same location, so it belongs in git with the manifest. `{name}` is replaced by `metadata.name`.',
          'Landform',
          {
            ...anyText,
            examples: [
              'git:origin',
              'file:/var/lib/landform/{name}',
              's3:my-bucket/{name}?region=eu-central-1',
              'azblob:myaccount/state/{name}',
              'kubernetes:production/gis-state',
              'postgres:env:LANDFORM_DATABASE_URL',
            ],
            allOf: [
              markAsRule('state/location', {
                pattern: stateLocation,
                patternErrorMessage:
                  'be git:REMOTE with a remote of the clone, file:DIR, s3:BUCKET/PREFIX, azblob:ACCOUNT/CONTAINER/PREFIX, kubernetes:CONTEXT/NAMESPACE or postgres:env:LANDFORM_NAME',
              }),
            ],
          },
        ),
        license: buildReference('License'),
        administrator: buildReference('Administrator'),
        profile,
        volumes,
        cloudStorage,
        dataStores,
        folders,
        ...others,
        deploymentProfiles: describeField(
          'These two profiles replace `profile` since 12.1.',
          reportedProfiles.source,
          buildRecord(Object.fromEntries(Object.entries(reportedProfiles.names).map(buildNamedProfile)), []),
        ),
        extra: describeField(
          'A newer service accepts these parameters of `configure`, which Landform does not know; name and value are sent unchanged.',
          'Landform',
          {
            ...anyMap,
            'x-compare': 'texts',
            allOf: [markAsRule('extra/known-parameter', { propertyNames: unknownParameter })],
          },
        ),
      },
      ['site', 'license', 'administrator', ...listRequiredBelow('/spec')],
    ),
  )
}

/** Accepts every location that the rule `state/location` accepts, and some more. */
const stateLocation =
  '^(file:|s3:|azblob:|git:[\\w{][\\w.{}-]*$|kubernetes:(.+/)?[a-z0-9{][a-z0-9{}-]*$|postgres:env:LANDFORM_)'

const unknownParameter: JsonSchema = { not: { enum: knownParameters } }

type Profiles = (typeof reportedProfiles)['names']

function buildNamedProfile([name, { meaning, options }]: [string, Profiles[keyof Profiles]]): [
  string,
  JsonSchema,
] {
  const { source } = reportedProfiles
  const parameter =
    'The request parameter has this name, as the `configure` page of the site shows it; no public source names it.'
  const fields = {
    name: describeField(meaning, source, { 'x-open': 'text', ...buildChoice(options) }),
    parameter: describeField(parameter, 'Landform', {
      type: 'string',
      maxLength: 64,
      pattern: '^[A-Za-z][A-Za-z0-9_]*$',
      patternErrorMessage: 'be a name of letters and digits',
      examples: [`${name}Profile`],
      allOf: [markAsRule('extra/known-parameter', unknownParameter)],
    }),
  }
  return [name, describeField(meaning, source, buildRecord(fields, ['name', 'parameter']))]
}
