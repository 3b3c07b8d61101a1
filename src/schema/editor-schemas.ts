import type { ManifestVersion } from '../contract/versions.js'
import { identify, type JsonSchema, rewrite } from './json-schema.js'
import { buildEditorPolicySchema } from './policy-schema.js'
import {
  buildEditorSchema,
  buildOverlaySchema,
  buildPublishedSchema,
  citeForEditors,
} from './published-schema.js'
import { buildEditorTestSchema } from './test-schema.js'

/** The schemas for editors, by the files that they check; `landform schema` prints them. `codes` are those of diagnostics. */
export const editorSchemas = {
  deployment: () => publish('deployment', buildEditorSchema()),
  overlay: () => publish('overlay', buildOverlaySchema()),
  policy: () => publish('policy', dropMarkdown(buildEditorPolicySchema())),
  test: (codes: readonly string[]) => publish('test', dropMarkdown(buildEditorTestSchema(codes))),
} as const satisfies Readonly<Record<string, (codes: readonly string[]) => JsonSchema>>

/** Builds the schema of one version as it is published, with the texts that editors show. */
export function buildVersionSchema(version: ManifestVersion): JsonSchema {
  return publish(`deployment-${version}`, buildPublishedSchema(version))
}

function publish(name: string, schema: JsonSchema): JsonSchema {
  return identify(name, addTitles(citeForEditors(schema)))
}

/** Drops the longer texts of manifest fields to keep the package small: the schema of manifests has them. */
function dropMarkdown(schema: JsonSchema): JsonSchema {
  return rewrite(schema, ({ markdownDescription, ...node }) =>
    node.description === undefined && markdownDescription !== undefined
      ? { ...node, markdownDescription }
      : node,
  ) as JsonSchema
}

/** Gives each described field a title, such as "Storage class": otherwise an editor shows the title of the whole schema. */
function addTitles(schema: JsonSchema): JsonSchema {
  return rewrite(schema, ({ properties, ...node }) => {
    if (properties === undefined) return node
    const titled = Object.entries(properties).map(([name, field]) => [name, titleField(name, field)])
    return { ...node, properties: Object.fromEntries(titled) }
  }) as JsonSchema
}

function titleField(name: string, field: JsonSchema | false): JsonSchema | false {
  if (field === false) return field
  const isDescribed = field.description !== undefined || field.markdownDescription !== undefined
  if (!isDescribed || field.title !== undefined) return field
  return { title: titleOf(name), ...field }
}

/** Abbreviations, which keep their capitals, and the words that names shorten. */
const spelled: Readonly<Record<string, string>> = {
  api: 'API',
  ca: 'CA',
  dir: 'folder',
  env: 'environment variable',
  id: 'ID',
  tls: 'TLS',
  url: 'URL',
}

function titleOf(name: string): string {
  if (name === name.toUpperCase()) return name
  const words = name.split(/(?<=[a-z])(?=[A-Z])/).map(word => word.toLowerCase())
  const [first = '', ...others] = words.map(word => spelled[word] ?? word)
  return [`${first[0]?.toUpperCase()}${first.slice(1)}`, ...others].join(' ')
}
