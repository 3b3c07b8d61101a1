import {
  firstReportedVersion,
  isDocumented,
  type ManifestVersion,
  newestReportedVersion,
  newestVersion,
} from '../contract/versions.js'
import { anyText } from './fields.js'
import { youngerFields } from './homes.js'
import { type JsonSchema, saidByRule, when } from './json-schema.js'
import { secretReference } from './manifest/references.js'
import { manifestSnippet } from './manifest/snippets.js'
import { manifestSchema } from './manifest-schema.js'
import { rewrite } from './rewrite.js'
import { versionBefore } from './version-pattern.js'

/**
 * Builds the published schema of one version. For versions after the service document it accepts more than the reports:
 * an unreported credential type, connection field or profile is only a warning.
 */
export function publishedManifestSchema(version: ManifestVersion): JsonSchema {
  const schema = manifestSchema(version)
  return isDocumented(version) ? withoutMarks(schema) : opened(schema)
}

/** Builds the JSON Schema for editors, which allows the fields of `spec.site.version`. */
export function editorSchema(): JsonSchema {
  return {
    ...opened(manifestSchema(newestReportedVersion)),
    defaultSnippets: [manifestSnippet(newestVersion)],
    description: 'A Landform manifest; its fields depend on the service version in spec.site.version.',
    allOf: [
      ...youngerFields.map(({ name, since }) =>
        when(
          declares(versionBefore(since)),
          saidByRule('version/field-too-new', {
            properties: {
              spec: {
                properties: {
                  [name]: { not: {}, doNotSuggest: true, description: `Requires service version ${since}.` },
                },
              },
            },
          }),
        ),
      ),
      when(declares(versionBefore(firstReportedVersion)), documentedOnly()),
    ],
  }
}

/** Allows unreported names and values where a report may be behind the service. */
function opened(schema: JsonSchema): JsonSchema {
  const { definitions = {}, ...whole } = withoutMarks(schema, openedNode)
  const { Credential = {} } = definitions
  const type = schema.definitions?.['Credential']?.properties?.['type']
  // The fields of a type are known only for known types.
  const isKnown = { properties: { type: { enum: type ? (type.enum ?? []) : [] } }, required: ['type'] }
  const allOf = (Credential.allOf ?? []).map(part => when(isKnown, part))
  return { ...whole, definitions: { ...definitions, Credential: { ...Credential, allOf } } }
}

function openedNode(node: JsonSchema, kind: NonNullable<JsonSchema['x-open']>): JsonSchema {
  const { enum: options, enumDescriptions = [], ...schema } = node
  if (options !== undefined) return { ...schema, anyOf: [{ enum: options, enumDescriptions }, anyText] }
  return { ...schema, additionalProperties: kind === 'secret' ? secretReference : anyText }
}

/** Removes the `x-open` marks of a schema and transforms each marked part. */
function withoutMarks(schema: JsonSchema, open: typeof openedNode = node => node): JsonSchema {
  return rewrite(schema, ({ 'x-open': kind, ...node }) =>
    kind === undefined ? node : open(node, kind),
  ) as JsonSchema
}

/** Restricts a published schema to the service document. */
function documentedOnly(): JsonSchema {
  const documented = manifestSchema(newestVersion).definitions ?? {}
  const namesOf = (name: string) => Object.keys(documented[name]?.properties ?? {})
  const optionsOf = (name: string, field: string) => {
    const schema = documented[name]?.properties?.[field]
    return { enum: schema ? (schema.enum ?? []) : [] }
  }
  const connection = { propertyNames: { enum: namesOf('Connection') } }
  const provider = {
    properties: {
      credential: {
        properties: { type: optionsOf('Credential', 'type') },
        propertyNames: { enum: namesOf('Credential') },
      },
      cloudServices: { items: { properties: { connection } } },
    },
  }
  const spec = { properties: { profile: optionsOf('Spec', 'profile'), cloudStorage: { items: provider } } }
  return saidByRule('version/field-too-new', { properties: { spec } })
}

function declares(pattern: string): JsonSchema {
  return having('spec', having('site', having('version', { type: 'string', pattern })))
}

function having(name: string, schema: JsonSchema): JsonSchema {
  return { type: 'object', required: [name], properties: { [name]: schema } }
}
