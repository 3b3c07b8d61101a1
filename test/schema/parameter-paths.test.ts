import { operations } from '../../src/contract/operations.js'
import type { Parameter } from '../../src/contract/parameter.js'
import { findFieldSchema } from '../../src/schema/field-schema.js'
import { formatSource } from '../../src/schema/fields.js'
import { newerFields, parameterPaths } from '../../src/schema/parameter-paths.js'
import { appendSegment, type JsonPointer, splitPointer } from '../../src/schema/pointer.js'
import { everyParameter, newerParameters } from '../support/every-field.js'

const all: readonly Parameter[] = [...operations.configure.parameters, ...operations.update.parameters]
const table = parameterPaths.map(
  ({ pointer, operation, parameter }) => [pointer, operation, parameter] as const,
)

/** The field with the description, if the parameter is a map that has other fields as well. */
const describedAt: Readonly<Partial<Record<JsonPointer, JsonPointer>>> = {
  '/spec/administrator/securityQuestion': '/spec/administrator/securityQuestion/index',
}

describe('the paths of request parameters in a manifest', () => {
  test('are one for each parameter of `configure` and `update`, and none for `f`', () => {
    const wanted = all.map(({ name }) => name).filter(name => name !== 'f')
    expect(parameterPaths.map(({ parameter }) => parameter.name)).toEqual(wanted)
  })

  test('are unique', () => {
    const pointers = parameterPaths.map(({ pointer }) => pointer)
    expect(new Set(pointers).size).toBe(pointers.length)
  })

  test('are these', () => {
    const found = parameterPaths.map(({ pointer, operation, parameter }) => [
      operation,
      pointer,
      parameter.name,
    ])
    const wanted = Object.entries(everyParameter).flatMap(([operation, parameters]) =>
      Object.entries(parameters).map(([pointer, [name]]) => [operation, pointer, name]),
    )
    expect(found).toEqual(wanted)
  })

  test.each(table)('exist in the schema: %s', pointer => {
    const parts = splitPointer(pointer)
    const owner = parts.slice(0, -1).reduce<JsonPointer>(appendSegment, '')
    expect(findFieldSchema(owner).properties).toHaveProperty(parts.slice(-1))
    expect(findFieldSchema(pointer)).not.toEqual({})
  })

  test.each(table)(
    'are described by the contract: %s',
    (pointer, operation, { name, since, section, meaning }) => {
      const field = findFieldSchema(describedAt[pointer] ?? pointer)
      expect(field.description).toBe(meaning.replaceAll('`', ''))
      expect(formatSource(field)).toBe(
        `Service §${section}, parameter \`${name}\` of \`${operation}\`, since ${since}`,
      )
    },
  )

  test.each(table)('are required if the service requires the parameter: %s', (pointer, _, { required }) => {
    const parts = splitPointer(pointer)
    const demanded = parts.map((name, depth) =>
      (findFieldSchema(parts.slice(0, depth).reduce<JsonPointer>(appendSegment, '')).required ?? []).includes(
        name,
      ),
    )
    expect(required === 'yes' ? demanded.every(Boolean) : demanded.at(-1)).toBe(required === 'yes')
  })

  test('include the fields that are newer than `configure`', () => {
    expect(newerFields).toEqual([...newerParameters, { name: 'deploymentProfiles', since: '12.1' }])
  })
})
