import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { OperationName } from '../../src/contract/operation-name.js'
import { type Operation, operations } from '../../src/contract/operations.js'
import { isObject, type JsonObject, type JsonValue } from '../../src/schema/json-schema.js'
import { valueAt } from './manifest-value.js'

/** The same value, read as an object; an error where it is none. */
export function objectIn(value: JsonValue | undefined): JsonObject {
  if (!isObject(value)) throw new Error('not an object')
  return value
}

/** The operation of a description. */
export function operationIn(document: JsonObject, name: OperationName): JsonObject {
  const { path, method }: Operation = operations[name]
  const item = objectIn(objectIn(document['paths'])[path === '' ? '/' : path])
  return objectIn(item[method.toLowerCase()])
}

/** The one media type of a body or an answer, with its schema and examples. */
export function mediaIn(part: JsonValue | undefined): JsonObject {
  const [media, ...others] = Object.values(objectIn(objectIn(part)['content']))
  if (others.length > 0) throw new Error('more than one media type')
  return objectIn(media)
}

/** The schemas of the parameters of an operation, wherever they travel, by name. */
export function parametersIn(
  document: JsonObject,
  name: OperationName,
): Readonly<Record<string, JsonObject>> {
  const { parameters = [], requestBody } = operationIn(document, name)
  if (requestBody !== undefined) {
    const { $ref } = objectIn(mediaIn(requestBody)['schema'])
    const body = objectIn(valueAt(document, `/${String($ref).slice('#/'.length)}`))
    return objectIn(body['properties']) as Readonly<Record<string, JsonObject>>
  }
  const inQuery = (parameters as readonly JsonObject[]).filter(parameter => parameter['in'] === 'query')
  return Object.fromEntries(inQuery.map(parameter => [String(parameter['name']), parameter]))
}

type Judge = (schema: JsonObject, value: JsonValue) => readonly string[]

const judges = new Map<string, Judge>()

/** A judge of values by the schemas of a description; there is one for equal schemas, for compiling them takes long. */
export function judgeOf(document: JsonObject): Judge {
  const text = JSON.stringify(document['components'])
  const judge = judges.get(text) ?? newJudge(document)
  judges.set(text, judge)
  return judge
}

/** Text that holds JSON is read and judged by its own schema, which JSON Schema leaves to programs. */
function newJudge(document: JsonObject): Judge {
  const ajv = new Ajv2020({ allErrors: true, strict: false, code: { optimize: false } })
  ajv.addFormat('email', /^[^\s@]+@[^\s@]+$/)
  ajv.addFormat('password', true)
  ajv.addSchema({ components: document['components'] }, 'openapi')
  const validators = new Map<string, ValidateFunction>()
  const judge: Judge = (schema, value) => {
    const text = JSON.stringify(schema)
    const validate = validators.get(text) ?? ajv.compile(absolute(schema))
    validators.set(text, validate)
    validate(value)
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
  ajv.removeKeyword('contentSchema')
  ajv.addKeyword({
    keyword: 'contentSchema',
    type: 'string',
    compile: (schema: JsonObject) => (text: string) => {
      const value = parsed(text)
      return value !== undefined && judge(schema, value).length === 0
    },
  })
  return judge
}

/** The description with every object closed to fields that it does not name. */
export function closed(document: JsonObject): JsonObject {
  const inner = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(inner)
    if (!isObject(value) || value['contains'] !== undefined) return value
    const parts = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inner(part)]))
    return isObject(value['properties']) ? { additionalProperties: false, ...parts } : parts
  }
  return objectIn(inner(document))
}

function absolute(schema: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')) as JsonObject
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
