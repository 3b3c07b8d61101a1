import { citePublicly } from '../contract/vendor-pages.js'
import {
  firstReportedVersion,
  isDocumented,
  type ManifestVersion,
  newestReportedVersion,
  newestVersion,
} from '../contract/versions.js'
import { anyText, secretReference } from './fields.js'
import { buildCondition, type JsonSchema, markAsRule, rewrite } from './json-schema.js'
import { buildPatternBefore } from './manifest/shared.js'
import { buildManifestSnippet, overlaySnippet } from './manifest/snippets.js'
import { buildManifestSchema, newestSchema } from './manifest-schema.js'
import { newerFields } from './parameter-paths.js'

/**
 * Builds the published schema of one version. For versions after the service document it accepts more than the reports:
 * an unreported credential type, connection field or profile is only a warning.
 */
export function buildPublishedSchema(version: ManifestVersion): JsonSchema {
  const schema = buildManifestSchema(version)
  return isDocumented(version) ? removeMarks(schema) : openSchema(schema)
}

/** Adds the source to the texts for editors: a parameter links to its public page. The service document is not public. */
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

/** Allows unreported names and values in parts where public reports may lag behind the service. */
function openSchema(schema: JsonSchema): JsonSchema {
  const { definitions = {}, ...whole } = removeMarks(schema, openNode)
  const { Credential = {} } = definitions
  const type = schema.definitions?.['Credential']?.properties?.['type']
  // Only known types have known fields.
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

/**
 * Builds the JSON Schema for editors of a file that extends a manifest, or that others extend: the fields of the newest
 * version, none of them required, because another file may set them; `null` removes.
 *
 * Values that replace those of the base as a whole stay strict: references, and the elements of lists that do not
 * merge. In lists that merge, the fields that identify an element stay required.
 */
export function buildOverlaySchema(): JsonSchema {
  const { required: _, definitions: all = {}, ...whole } = buildPublishedSchema(newestReportedVersion)
  const definitions: Record<string, JsonSchema> = { ...all }

  const field = (schema: JsonSchema): JsonSchema => {
    if (schema.$ref === undefined) return allowRemoval(open(schema))
    const name = readDefinitionName(schema.$ref)
    definitions[name] = allowRemoval(open(all[name] ?? {}))
    return schema
  }
  const open = (schema: JsonSchema, kept: readonly string[] = []): JsonSchema => {
    if (schema['x-reference'] !== undefined) return schema
    const { required = [], allOf = [], properties = {}, additionalProperties: members, ...others } = schema
    const { if: _if, then: _then, ...rest } = others
    const demands = required.filter(name => kept.includes(name))
    const forms = allOf.filter(part => !isAboutSeveralFields(part))
    if (schema['x-merge-by'] !== undefined && schema.items?.$ref !== undefined) {
      const name = readDefinitionName(schema.items.$ref)
      definitions[name] = open(all[name] ?? {}, schema['x-merge-by'])
    }
    return {
      ...rest,
      ...(schema.properties !== undefined && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, part]) => [
            name,
            part === false || kept.includes(name) ? part : field(part),
          ]),
        ),
      }),
      ...(members !== undefined && {
        additionalProperties: typeof members === 'object' ? field(members) : members,
      }),
      ...(demands.length > 0 && { required: demands }),
      ...(forms.length > 0 && { allOf: forms }),
    }
  }

  for (const name of ['Metadata', 'Spec']) definitions[name] = open(all[name] ?? {})
  return {
    ...whole,
    title: 'SiteDeployment overlay',
    description: 'This is a Landform manifest that extends another, or that others extend.',
    defaultSnippets: [overlaySnippet],
    definitions,
  }
}

/** True for a part about several fields, which another file may satisfy. */
function isAboutSeveralFields(part: JsonSchema): boolean {
  return part.required !== undefined || part.oneOf !== undefined || part.if !== undefined
}

/** Allows `null` for a field, which removes the value of the base. */
function allowRemoval(schema: JsonSchema): JsonSchema {
  const { type, enum: options, anyOf: forms, enumDescriptions = [] } = schema
  return {
    ...schema,
    ...(type !== undefined && { type: [...[type].flat(), 'null'] }),
    ...(forms !== undefined && { anyOf: [...forms, { const: null }] }),
    ...(options !== undefined && {
      enum: [...options, null],
      enumDescriptions: [...enumDescriptions, 'Removes the value of the base.'],
    }),
  }
}

function readDefinitionName(reference: string): string {
  return reference.slice('#/definitions/'.length)
}
