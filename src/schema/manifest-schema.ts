import {
  compareVersions,
  type ManifestVersion,
  manifestVersions,
  newestReportedVersion,
  type ServiceVersion,
} from '../contract/versions.js'
import { appendSegment, type JsonPointer, splitPointer } from '../diagnostics/pointer.js'
import { apiVersion, kind } from './envelope.js'
import { buildRecord, buildReference, describeField, longestText } from './fields.js'
import { dialect, type JsonSchema } from './json-schema.js'
import { buildAdministratorDefinitions } from './manifest/administrator.js'
import { buildCloudDefinitions } from './manifest/cloud.js'
import { buildPlacementDefinitions } from './manifest/placement.js'
import { secretReference } from './manifest/references.js'
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

/** Finds the version whose schema applies to `version`; `undefined` if no manifest can exist for it. */
export function findSchemaVersion(version: ServiceVersion): ManifestVersion | undefined {
  return manifestVersions.findLast(candidate => compareVersions(candidate, version) <= 0)
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

/** Created once, and only if a manifest has a mistake. */
function loadNewestSchema(): JsonSchema {
  newest ??= buildManifestSchema(newestReportedVersion)
  return newest
}

/**
 * Finds the schema of one field of a manifest; empty for a place without a field. Every place has one schema: the unions
 * of the published schemas are in separate parts, which rules report better.
 */
export function findFieldSchema(pointer: JsonPointer): JsonSchema {
  return findSchema(loadNewestSchema(), pointer)
}

/** Finds the schema of one place in another schema; empty for an unknown place. */
export function findSchema(root: JsonSchema, pointer: JsonPointer): JsonSchema {
  return splitPointer(pointer).reduce((owner, segment) => resolveMember(root, owner, segment), root)
}

/** Finds the schema of a member or element in the schema of its map or list. */
export function findMemberSchema(owner: JsonSchema, segment: string | number): JsonSchema {
  return resolveMember(loadNewestSchema(), owner, String(segment))
}

function resolveMember(root: JsonSchema, owner: JsonSchema, segment: string): JsonSchema {
  const schema = readMemberSchema(owner, segment)
  const name = schema.$ref?.slice('#/definitions/'.length)
  return name === undefined ? schema : (root.definitions?.[name] ?? {})
}

/** Lists every field that a manifest can have, in the order of the schema; of a list, the fields of its first entry. */
export function listFieldPointers(owner: JsonPointer = ''): readonly JsonPointer[] {
  const { properties = {}, items, 'x-reference': reference } = findFieldSchema(owner)
  if (reference !== undefined) return []
  const names = items === undefined ? Object.keys(properties) : ['0']
  return names.flatMap(name => {
    const pointer = appendSegment(owner, name)
    return [...(items === undefined ? [pointer] : []), ...listFieldPointers(pointer)]
  })
}

function readMemberSchema(owner: JsonSchema, segment: string): JsonSchema {
  const { properties = {}, items, additionalProperties } = owner
  if (Object.hasOwn(properties, segment)) return properties[segment] || {}
  if (items !== undefined) return items
  if (owner['x-open'] === 'secret') return secretReference
  return typeof additionalProperties === 'object' ? additionalProperties : {}
}
