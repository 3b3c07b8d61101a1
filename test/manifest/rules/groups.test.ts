import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { appendSegment, type JsonPointer } from '../../../src/diagnostics/pointer.js'
import { readDeclaredVersion } from '../../../src/manifest/declared-version.js'
import { ruleGroups } from '../../../src/manifest/rules/all.js'
import { parseYaml } from '../../../src/manifest/yaml-document.js'
import { isObject, type JsonObject, type JsonValue } from '../../../src/schema/json-schema.js'
import { exampleTexts } from '../../support/text-mutants.js'

const folder = join('test', 'invalid')
const mistakes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
  name.endsWith('.yaml'),
)

/** Every example, and every file with a mistake that is a manifest. */
const values = [...exampleTexts, ...mistakes.map(name => readFileSync(join(folder, name), 'utf8'))].flatMap(
  text => {
    const value = parseYaml({ name: 'site.yaml', bytes: Buffer.from(text) }).document?.value
    return value !== undefined && isObject(value) && isObject(value['spec'] ?? null) ? [value] : []
  },
)

/** The maps whose members are told apart. */
const watched = ['', '/metadata', '/spec', '/spec/site']

/** Wraps the maps around all parts, and notes the pointer of each part that is looked at; of a list of all, `*`. */
function watch(value: JsonObject, at: JsonPointer, note: (pointer: JsonPointer) => void): JsonObject {
  return new Proxy(value, {
    get(map, name) {
      const pointer = appendSegment(at, String(name))
      const member = Object.hasOwn(map, name) ? map[String(name)] : undefined
      if (member !== undefined && isObject(member) && watched.includes(pointer))
        return watch(member, pointer, note)
      note(pointer)
      return Reflect.get(map, name)
    },
    has: (map, name) => {
      note(appendSegment(at, String(name)))
      return Reflect.has(map, name)
    },
    ownKeys: map => {
      note(appendSegment(at, '*'))
      return Reflect.ownKeys(map)
    },
  })
}

function readBy(rules: (typeof ruleGroups)[number]['rules'], value: JsonObject): ReadonlySet<string> {
  const read = new Set<string>()
  const manifest = {
    value: watch(value, '', pointer => read.add(pointer)) as JsonValue,
    get version() {
      read.add('/spec/site/version')
      return readDeclaredVersion(value)
    },
    numeral: () => undefined,
  }
  for (const rule of rules) for (const _ of rule(manifest));
  return read
}

test.each(
  ruleGroups.filter(({ reads }) => reads.length > 0).map(group => [group.reads.join(', '), group] as const),
)('the rules that are said to read %s read nothing else', (_, { reads, rules }) => {
  const isSaid = (pointer: string) => reads.some(one => pointer === one || pointer.startsWith(`${one}/`))
  const read = new Set(values.flatMap(value => [...readBy(rules, value)]))
  expect([...read].filter(pointer => !isSaid(pointer))).toEqual([])
  expect(read.size).toBeGreaterThan(0)
})

test('a rule that reads more than it says would be found', () => {
  const [read] = values.map(value =>
    readBy(
      ruleGroups.flatMap(({ rules }) => rules),
      value,
    ),
  )
  expect([...(read ?? [])]).toEqual(expect.arrayContaining(['/*', '/metadata/name', '/spec/volumes']))
})
