import { citePublicly } from '../contract/vendor-pages.js'
import {
  firstReportedVersion,
  isDocumented,
  type ManifestVersion,
  newestVersion,
} from '../contract/versions.js'
import { anyText } from './fields.js'
import { buildCondition, type JsonSchema, markAsRule } from './json-schema.js'
import { secretReference } from './manifest/references.js'
import { buildPatternBefore } from './manifest/shared.js'
import { buildManifestSnippet } from './manifest/snippets.js'
import { buildManifestSchema, newestSchema } from './manifest-schema.js'
import { newerFields } from './parameter-paths.js'
import { rewrite } from './rewrite.js'

/**
 * Builds the published schema of one version. For versions after the service document it accepts more than the reports:
 * an unreported credential type, connection field or profile is only a warning.
 */
export function buildPublishedSchema(version: ManifestVersion): JsonSchema {
  const schema = buildManifestSchema(version)
  return isDocumented(version) ? removeMarks(schema) : openSchema(schema)
}

/** Adds the source to the texts for editors: a parameter links to its public page, as nobody has the service document. */
export function citeForEditors(schema: JsonSchema): JsonSchema {
  return rewrite(schema, ({ 'x-source': source, ...node }) => {
    const { markdownDescription: text } = node
    if (text === undefined || source === undefined) return node
    return { ...node, markdownDescription: [text, ...cite(...source)].join('\n\n') }
  }) as JsonSchema
}

function cite(source: string, parameter?: string): readonly string[] {
  if (!source.startsWith('Service ')) return [`*${source}.*`]
  const page = parameter && citePublicly(source)
  const [, reported] = source.split('; reported: ')
  return [
    ...(page ? [`[Parameter ${parameter}](${page}).`] : []),
    ...(reported ? [`*Reported: ${reported}.*`] : []),
  ]
}

/** Builds the JSON Schema for editors, which allows the fields of `spec.site.version`. */
export function buildEditorSchema(): JsonSchema {
  return citeForEditors({
    ...openSchema(newestSchema()),
    defaultSnippets: [buildManifestSnippet(newestVersion)],
    description:
      'This is a Landform manifest; its fields depend on the service version in spec.site.version.',
    allOf: [
      ...newerFields.map(({ name, since }) =>
        buildCondition(
          requireVersion(buildPatternBefore(since)),
          markAsRule('version/field-too-new', {
            properties: {
              spec: {
                properties: {
                  [name]: {
                    not: {},
                    doNotSuggest: true,
                    description: `This requires service version ${since}.`,
                  },
                },
              },
            },
          }),
        ),
      ),
      buildCondition(requireVersion(buildPatternBefore(firstReportedVersion)), restrictToDocument()),
    ],
  })
}

/** Allows unreported names and values where a report may be behind the service. */
function openSchema(schema: JsonSchema): JsonSchema {
  const { definitions = {}, ...whole } = removeMarks(schema, openNode)
  const { Credential = {} } = definitions
  const type = schema.definitions?.['Credential']?.properties?.['type']
  // The fields of a type are known only for known types.
  const isKnown = { properties: { type: { enum: type ? (type.enum ?? []) : [] } }, required: ['type'] }
  const allOf = (Credential.allOf ?? []).map(part => buildCondition(isKnown, part))
  return { ...whole, definitions: { ...definitions, Credential: { ...Credential, allOf } } }
}

function openNode(node: JsonSchema, kind: NonNullable<JsonSchema['x-open']>): JsonSchema {
  const { enum: options, enumDescriptions = [], ...schema } = node
  if (options !== undefined) return { ...schema, anyOf: [{ enum: options, enumDescriptions }, anyText] }
  return { ...schema, additionalProperties: kind === 'secret' ? secretReference : anyText }
}

/** Removes the `x-open` marks of a schema and transforms each marked part. */
function removeMarks(schema: JsonSchema, open: typeof openNode = node => node): JsonSchema {
  return rewrite(schema, ({ 'x-open': kind, ...node }) =>
    kind === undefined ? node : open(node, kind),
  ) as JsonSchema
}

/** Restricts a published schema to the service document. */
function restrictToDocument(): JsonSchema {
  const documented = buildManifestSchema(newestVersion).definitions ?? {}
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
  return markAsRule('version/field-too-new', { properties: { spec } })
}

function requireVersion(pattern: string): JsonSchema {
  return requireMember('spec', requireMember('site', requireMember('version', { type: 'string', pattern })))
}

function requireMember(name: string, schema: JsonSchema): JsonSchema {
  return { type: 'object', required: [name], properties: { [name]: schema } }
}
