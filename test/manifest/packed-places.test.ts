import { addPlace, findPlace } from '../../src/manifest/field-places.js'
import type { FieldPlace } from '../../src/manifest/manifest.js'
import { packPlaces, unpackPlace } from '../../src/manifest/packed-places.js'
import { onOneLine } from '../support/a-manifest.js'

const range = (file: string, line: number, columns: readonly [number, number]) => ({
  file,
  start: { line, column: columns[0] },
  end: { line: line + 1, column: columns[1] },
})
const way = [{ message: 'extended here', place: range('site.yaml', 1, [10, 19]) }]
const fields: readonly (readonly [`/${string}` | '', FieldPlace])[] = [
  ['', onOneLine('site.yaml', 1)],
  ['/spec', { key: range('site.yaml', 2, [1, 5]), value: range('site.yaml', 3, [7, 70_000]), way: [] }],
  ['/spec/a\n"b', { key: range('base.yaml', 4, [1, 2]), value: range('base.yaml', 5, [3, 4]), way }],
  [
    '/spec/c',
    {
      ...onOneLine('site.yaml', 9),
      under: { message: 'overrides this', place: range('base.yaml', 6, [1, 2]) },
    },
  ],
]

describe('packed places', () => {
  const places = packPlaces(fields)

  test.each(fields)('give back what was packed: %j', (pointer, field) => {
    expect(unpackPlace(places, pointer)).toEqual(field)
  })

  test('know no field that was not packed', () => {
    expect(unpackPlace(places, '/spec/d')).toBeUndefined()
    expect(findPlace(places, '/spec/a\n"b/d/e', 'value')).toEqual(range('base.yaml', 4, [1, 2]))
  })

  test('explain a missing field with the lines that extend the file of its parent', () => {
    const diagnostic = {
      code: 'extends/missing',
      severity: 'error',
      pointer: '/spec/a\n"b/d',
      facts: {},
    } as const
    expect(addPlace({ places }, diagnostic as never).related).toEqual(way)
  })

  test('are plain data, and less than a third of the same as objects', () => {
    const many = Array.from(
      { length: 150 },
      (_, at) => [`/spec/field-${at}`, onOneLine('site.yaml', at)] as const,
    )
    const packed = packPlaces(many)
    const copy = JSON.parse(JSON.stringify(packed))
    expect(copy).toEqual(packed)
    expect(unpackPlace(copy, '/spec/field-149')).toEqual(onOneLine('site.yaml', 149))
    expect(JSON.stringify(packed).length).toBeLessThan(JSON.stringify(many).length / 3)
  })
})
