import { secretQuestions } from '../../src/contract/questions.js'
import { isObject, type JsonObject, type JsonValue } from '../../src/schema/json-schema.js'

/** Pseudo-random numbers in [0, 1), repeatable for a seed. */
export type Random = () => number

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Writes a value differently with the same meaning; `undefined` removes the field. */
type Respelling = (value: JsonValue | undefined, random: Random, beside: JsonObject) => JsonValue | undefined

const policy = '/spec/upgrade/podPlacementPolicy'
const terms = `${policy}/nodeAffinity/*/nodeSelectorTerms`
const expressions = `${terms}/*/matchExpressions`
const reference = '/spec/**/file'

/** All respellings by path: `*` is one segment, `**` any number. */
const respellings: readonly (readonly [string, Respelling])[] = [
  ['/spec/profile', defaultProfile],
  ['/spec/volumes/*/provisioningType', orDefault('DYNAMIC')],
  ['/spec/volumes/*/labels', orDefault({})],
  ['/spec/volumes/*/size', resized],
  ['/spec/cloudStorage', shuffled],
  ['/spec/cloudStorage', withoutEmpty],
  ['/spec/cloudStorage/*/cloudServices/*/type', orDefault('objectStore')],
  ['/spec/cloudStorage/*/cloudServices/*/usage', orDefault('DEFAULT')],
  ['/spec/cloudStorage/*/cloudServices/*/category', orDefault('storage')],
  ['/spec/dataStores', shuffled],
  ['/spec/dataStores', withoutEmpty],
  ['/spec/folders', shuffled],
  ['/spec/folders', orDefault([])],
  ['/spec/systemProperties', orDefault({})],
  ['/spec/extra', orDefault({})],
  ['/spec/administrator/securityQuestion', askedInTheOtherWay],
  ['/spec/license/file', otherPath],
  ['/spec/license/serverFile', otherPath],
  ['/spec/site/tls/caFile', otherPath],
  ['/spec/site/tls/client/certificate', otherPath],
  [reference, otherPath],
  [`${policy}/nodeAffinity`, orDefault({})],
  [`${policy}/tolerations`, orDefault([])],
  [`${policy}/tolerations`, shuffledAndRepeated],
  [`${policy}/tolerations/*/operator`, orDefault('Equal')],
  [`${policy}/tolerations/*/key`, orDefault('')],
  [terms, shuffledAndRepeated],
  [expressions, shuffledAndRepeated],
  [`${expressions}/*/values`, orDefault([])],
  [`${expressions}/*/values`, shuffledAndRepeated],
]

/** Returns an equivalent manifest: lists reordered, sizes in other units, defaults added or removed. */
export function respelled(manifest: JsonObject, random: Random): JsonObject {
  const visit = (value: JsonValue, at: string): JsonValue => {
    if (Array.isArray(value)) return value.map((element, index) => visit(element, `${at}/${index}`))
    if (!isObject(value)) return value
    const names = new Set([...Object.keys(value), ...absentNames(at)])
    const members = [...names].flatMap((name): [string, JsonValue][] => {
      const old = Object.hasOwn(value, name) ? value[name] : undefined
      const place = `${at}/${name.replaceAll('/', '~1')}`
      const inner = old === undefined ? undefined : visit(old, place)
      const next = respellings
        .filter(([pattern]) => fits(place, pattern) && !isFree(place))
        .reduce((said, [, respelling]) => (random() < 0.6 ? respelling(said, random, value) : said), inner)
      return next === undefined ? [] : [[name, next]]
    })
    return Object.fromEntries(mixed(members, random))
  }
  return visit(manifest, '') as JsonObject
}

/** Lists the fields of a map that may be added with their default. */
function absentNames(at: string): readonly string[] {
  return respellings.flatMap(([pattern]) => {
    const cut = pattern.lastIndexOf('/')
    const name = pattern.slice(cut + 1)
    return name !== '*' && name !== 'file' && fits(at, pattern.slice(0, cut)) ? [name] : []
  })
}

/** Tests for free-form fields, whose content has no known meaning. */
function isFree(place: string): boolean {
  return /^\/spec\/(?:extra|systemProperties)\//.test(place)
}

const expressionOf = new Map<string, RegExp>()

function fits(place: string, pattern: string): boolean {
  const known = expressionOf.get(pattern)
  if (known !== undefined) return known.test(place)
  const source = pattern.replaceAll('/**', '(?:/[^/]+)+').replaceAll('/*', '/[^/]+')
  const expression = new RegExp(`^${source}$`)
  expressionOf.set(pattern, expression)
  return expression.test(place)
}

function orDefault(usual: JsonValue): Respelling {
  return value =>
    value === undefined ? usual : JSON.stringify(value) === JSON.stringify(usual) ? undefined : value
}

/** Deployment profiles exclude the default profile. */
function defaultProfile(
  value: JsonValue | undefined,
  random: Random,
  beside: JsonObject,
): JsonValue | undefined {
  if (Object.hasOwn(beside, 'deploymentProfiles')) return value
  return orDefault('standard-availability')(value, random, beside)
}

/** Removes an empty list, but never adds one, because some versions lack the field. */
function withoutEmpty(value: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(value) && value.length === 0 ? undefined : value
}

function shuffled(value: JsonValue | undefined, random: Random): JsonValue | undefined {
  return Array.isArray(value) ? mixed(value, random) : value
}

function shuffledAndRepeated(value: JsonValue | undefined, random: Random): JsonValue | undefined {
  if (!Array.isArray(value) || value.length === 0) return value
  const again = value[Math.floor(random() * value.length)] as JsonValue
  return mixed(random() < 0.5 ? [...value, again] : value, random)
}

function resized(value: JsonValue | undefined, random: Random): JsonValue | undefined {
  const [, number = '', unit = ''] = /^([0-9]{1,10})([A-Za-z]+)$/.exec(String(value)) ?? []
  const units = unit.endsWith('i') ? 'Ki Mi Gi Ti Pi Ei' : 'k M G T P E'
  const smaller = new RegExp(`(\\S+) ${unit}`).exec(units)?.[1]
  if (number === '') return value
  if (smaller === undefined || random() < 0.3) return `0${number}.0${unit}`
  return `${BigInt(number) * (unit.endsWith('i') ? 1024n : 1000n)}${smaller}`
}

function askedInTheOtherWay(value: JsonValue | undefined): JsonValue | undefined {
  if (!isObject(value)) return value
  const { question, index, ...others } = value
  return question === undefined
    ? { question: secretQuestions[Number(index) - 1] ?? '', ...others }
    : { ...others, index: secretQuestions.findIndex(text => text.startsWith(String(question))) + 1 }
}

function otherPath(value: JsonValue | undefined, random: Random): JsonValue | undefined {
  if (typeof value !== 'string') return value
  return random() < 0.5 ? `./${value}` : value.replace('/', '/.//')
}

function mixed<T>(list: readonly T[], random: Random): T[] {
  return list
    .map(element => [random(), element] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, element]) => element)
}
