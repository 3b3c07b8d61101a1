import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/manifests.js'

interface Node {
  readonly title?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Node | false>>
}

const schema = JSON.parse(readFileSync(join(root, 'schemas/deployment.schema.json'), 'utf8'))

/** Every field that says something to who points at it in an editor. */
function listFields(node: unknown): readonly (readonly [name: string, field: Node])[] {
  if (typeof node !== 'object' || node === null) return []
  const own = Object.entries((node as Node).properties ?? {}).flatMap(([name, field]) =>
    typeof field === 'object' && 'description' in field ? [[name, field] as const] : [],
  )
  return [...own, ...Object.values(node).flatMap(listFields)]
}

const fields = listFields(schema)
const verb =
  /\b(?:is|are|has|have|may|must|should|accepts|allow|builds|compares|consists|contains|describes|determines|finds|keeps|logs|matches|names|provisions|replace|signs|spells|tolerate|uses?|belongs|manages|requires)\b/

test('every field has a hover of whole sentences', () => {
  const texts = new Set(fields.map(([, { description = '' }]) => description))
  expect(texts.size).toBeGreaterThan(80)
  expect([...texts].filter(text => !/^[A-Z][\s\S]*\.$/.test(text) || !verb.test(text))).toEqual([])
})

test('a title of its own, in words', () => {
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
