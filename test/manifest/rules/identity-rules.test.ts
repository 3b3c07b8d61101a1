import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { appendSegment, type JsonPointer } from '../../../src/diagnostics/pointer.js'
import { readDeclaredVersion } from '../../../src/manifest/declared-version.js'
import { identityRules, rules } from '../../../src/manifest/rules/all.js'
import type { Rule } from '../../../src/manifest/rules/rule.js'
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

/** Wraps the maps around the name and the URL, and notes the pointer of each member that is looked at. */
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

function readBy(rule: Rule, value: JsonObject): ReadonlySet<string> {
  const read = new Set<string>()
  const manifest = {
    value: watch(value, '', pointer => read.add(pointer)) as JsonValue,
    get version() {
      read.add('/spec/site/version')
      return readDeclaredVersion(value)
    },
    numeral: () => undefined,
  }
  for (const _ of rule(manifest));
  return read
}

test('the rules that look at the name or the URL are those that are asked of each manifest', () => {
  const looksAtEither = (rule: Rule) =>
    values.some(value => {
      const read = readBy(rule, value)
      return read.has('/metadata/name') || read.has('/spec/site/url')
    })
  expect(rules.filter(looksAtEither)).toEqual(identityRules)
})
