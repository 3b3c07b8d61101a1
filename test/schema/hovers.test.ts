import { manifestVersions } from '../../src/contract/versions.js'
import { catalog } from '../../src/diagnostics/diagnostic.js'
import { buildVersionSchema, editorSchemas } from '../../src/schema/editor-schemas.js'
import type { JsonSchema, Snippet } from '../../src/schema/json-schema.js'

interface Node {
  readonly title?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Node | false>>
}

/** The schemas for editors. */
const schemas = [
  ...Object.values(editorSchemas).map(build => build(Object.keys(catalog))),
  ...manifestVersions.map(buildVersionSchema),
]

/** Every field with a hover text in an editor. */
function listFields(node: unknown): readonly (readonly [name: string, field: Node])[] {
  if (typeof node !== 'object' || node === null) return []
  const own = Object.entries((node as Node).properties ?? {}).flatMap(([name, field]) =>
    typeof field === 'object' && 'description' in field ? [[name, field] as const] : [],
  )
  return [...own, ...Object.values(node).flatMap(listFields)]
}

function listSnippets(node: unknown): readonly Snippet[] {
  if (typeof node !== 'object' || node === null) return []
  const { defaultSnippets = [] } = node as JsonSchema
  return [...defaultSnippets, ...Object.values(node).flatMap(listSnippets)]
}

const fields = schemas.flatMap(listFields)
const verb =
  /\b(?:is|are|has|have|may|must|should|can|accepts|accepted|allow|applies|builds|compares|consists|contains|describes|determines|cannot|ends?|extends|finds|follow|follows|holds?|keeps|logs|matches|merged|names|provisions|replace|requires|returns|runs?|sent|set|signs|spells|start|takes|tolerate|uses?|belongs|manages|waits)\b/

const isNoSentence = (text: string) => !/^[A-Z][\s\S]*\.$/.test(text) || !verb.test(text)

test('every field has a hover of whole sentences', () => {
  const texts = new Set(fields.map(([, { description = '' }]) => description))
  expect(texts.size).toBeGreaterThan(80)
  expect([...texts].filter(isNoSentence)).toEqual([])
})

test('every snippet is described by whole sentences', () => {
  const texts = new Set(schemas.flatMap(listSnippets).map(({ description }) => description))
  expect(texts.size).toBeGreaterThan(10)
  expect([...texts].filter(isNoSentence)).toEqual([])
})

test('no text cites a document that users do not have', () => {
  expect(schemas.filter(schema => JSON.stringify(schema).includes('§')).map(({ title }) => title)).toEqual([])
})

test('every field has a title of its own', () => {
  const titles = new Map(fields.map(([name, { title }]) => [name, title]))
  expect([...titles].filter(([, title]) => title === undefined)).toEqual([])
  const named = ['storageClass', 'caFile', 'apiVersion', 'managedIdentityClientId', 'rootDir', 'env', 'BLOB']
  expect(named.map(name => titles.get(name))).toEqual([
    'Storage class',
    'CA file',
    'API version',
    'Managed identity client ID',
    'Root folder',
    'Environment variable',
    'BLOB',
  ])
})
