import { newestReportedVersion } from '../contract/versions.js'
import type { JsonSchema } from './json-schema.js'
import { overlaySnippet } from './manifest/snippets.js'
import { publishedManifestSchema } from './published-schema.js'

/**
 * The JSON Schema for editors of a file that extends a manifest, or that others extend: the fields of the newest
 * version, none of them required, for what is missing may stand in another file; `null` removes.
 *
 * What is laid over its base as a whole stays as strict as it is: references, and the elements of lists that do not
 * merge. In those that do, the name of an element is not taken away.
 */
export function overlaySchema(): JsonSchema {
  const { required: _, definitions: all = {}, ...whole } = publishedManifestSchema(newestReportedVersion)
  const definitions: Record<string, JsonSchema> = { ...all }

  const field = (schema: JsonSchema): JsonSchema => {
    if (schema.$ref === undefined) return removable(open(schema))
    const name = nameOf(schema.$ref)
    definitions[name] = removable(open(all[name] ?? {}))
    return schema
  }
  const open = (schema: JsonSchema, kept: readonly string[] = []): JsonSchema => {
    if (schema['x-reference'] !== undefined) return schema
    const { required = [], allOf = [], properties = {}, additionalProperties: members, ...rest } = schema
    const demands = required.filter(name => kept.includes(name))
    const forms = allOf.filter(part => !isAboutSeveralFields(part))
    if (schema['x-merge-by'] !== undefined && schema.items?.$ref !== undefined) {
      const name = nameOf(schema.items.$ref)
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
    description: 'A Landform manifest that extends another, or that others extend.',
    defaultSnippets: [overlaySnippet],
    definitions,
  }
}

/** Such a part may be kept by a field of another file. */
function isAboutSeveralFields(part: JsonSchema): boolean {
  return part.required !== undefined || part.oneOf !== undefined || part.if !== undefined
}

/** A field that may also be `null`, which removes what the base says. */
function removable(schema: JsonSchema): JsonSchema {
  const { type, enum: options, anyOf: forms, enumDescriptions = [] } = schema
  return {
    ...schema,
    ...(type !== undefined && { type: [...[type].flat(), 'null'] }),
    ...(forms !== undefined && { anyOf: [...forms, { const: null }] }),
    ...(options !== undefined && {
      enum: [...options, null],
      enumDescriptions: [...enumDescriptions, 'Removes what the base says.'],
    }),
  }
}

function nameOf(reference: string): string {
  return reference.slice('#/definitions/'.length)
}
