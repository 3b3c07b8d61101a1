import { newestReportedVersion } from '../contract/versions.js'
import type { JsonSchema } from './json-schema.js'
import { overlaySnippet } from './manifest/snippets.js'
import { buildPublishedSchema } from './published-schema.js'

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
    const { required = [], allOf = [], properties = {}, additionalProperties: members, ...rest } = schema
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
