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
 * The published schema of one version. Where the service document ends, it leaves open what a site may know beyond the
 * reports: another credential type, field of a connection, or profile is a warning there and no error.
 */
export function publishedManifestSchema(version: ManifestVersion): JsonSchema {
  const schema = manifestSchema(version)
  return isDocumented(version) ? withoutMarks(schema) : opened(schema)
}

/** The JSON Schema for editors: looks at `spec.site.version` and allows the fields of that version. */
export function editorSchema(): JsonSchema {
  return {
    ...opened(manifestSchema(newestReportedVersion)),
    defaultSnippets: [manifestSnippet(newestVersion)],
    description: 'A Landform manifest; the fields follow the service version in spec.site.version.',
    allOf: [
      ...youngerFields.map(({ name, since }) =>
        when(
          declares(versionBefore(since)),
          saidByRule('version/field-too-new', {
            properties: {
              spec: {
                properties: {
                  [name]: { not: {}, doNotSuggest: true, description: `Needs service version ${since}.` },
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

/** Allows what no report has, where a report may be behind the service. */
function opened(schema: JsonSchema): JsonSchema {
  const { definitions = {}, ...whole } = withoutMarks(schema, openedNode)
  const { Credential = {} } = definitions
  const type = schema.definitions?.['Credential']?.properties?.['type']
  // What goes with a type is known of known types only.
  const isKnown = { properties: { type: { enum: type ? (type.enum ?? []) : [] } }, required: ['type'] }
  const allOf = (Credential.allOf ?? []).map(part => when(isKnown, part))
  return { ...whole, definitions: { ...definitions, Credential: { ...Credential, allOf } } }
}

function openedNode(node: JsonSchema, kind: NonNullable<JsonSchema['x-open']>): JsonSchema {
  const { enum: options, enumDescriptions = [], ...schema } = node
  if (options !== undefined) return { ...schema, anyOf: [{ enum: options, enumDescriptions }, anyText] }
  return { ...schema, additionalProperties: kind === 'secret' ? secretReference : anyText }
}

/** Takes the marks of what is open off a schema, and does with each marked part what is said. */
function withoutMarks(schema: JsonSchema, open: typeof openedNode = node => node): JsonSchema {
  return rewrite(schema, ({ 'x-open': kind, ...node }) =>
    kind === undefined ? node : open(node, kind),
  ) as JsonSchema
}

/** Takes away what only reports have, and what `opened` leaves open. */
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
