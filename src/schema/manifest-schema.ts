import {
  compareVersions,
  type ManifestVersion,
  newestReportedVersion,
  type ServiceVersion,
} from '../contract/versions.js'
import { apiVersion, kind } from './envelope.js'
import { buildRecord, buildReference, describeField, longestText } from './fields.js'
import { dialect, type JsonSchema } from './json-schema.js'
import { buildAdministratorDefinitions } from './manifest/administrator.js'
import { buildCloudDefinitions } from './manifest/cloud.js'
import { buildPlacementDefinitions } from './manifest/placement.js'
import { buildSharedDefinitions } from './manifest/shared.js'
import { buildSignInDefinitions } from './manifest/sign-in.js'
import { buildManifestSnippet } from './manifest/snippets.js'
import { buildSpecDefinition } from './manifest/spec.js'
import { buildStorageDefinitions } from './manifest/storage.js'
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

/** Returns the schema with the fields of all versions. It is built once, and only where something asks for it. */
export function newestSchema(): JsonSchema {
  newest ??= buildManifestSchema(newestReportedVersion)
  return newest
}
