import fc from 'fast-check'
import { appendSegment, readLastSegment, splitPointer } from '../../src/schema/pointer.js'
import { pointerTo } from '../support/changed-manifest.js'

const segment = fc.oneof(
  fc.string(),
  fc.constantFrom('', '/', '~', '~0', '~1', '~01', 'a/b', '*', '__proto__'),
)

describe('a pointer', () => {
  test('has the segments that it was made from', () => {
    fc.assert(
      fc.property(fc.array(segment), path => {
        expect(splitPointer(pointerTo(...path))).toEqual(path)
      }),
    )
  })

  test('differs if the segments differ', () => {
    fc.assert(
      fc.property(fc.array(segment), fc.array(segment), (one, other) => {
        expect(pointerTo(...one) === pointerTo(...other)).toBe(JSON.stringify(one) === JSON.stringify(other))
      }),
    )
  })

  // RFC 6901, section 5.
  test.each([
    ['foo', '/foo'],
    ['', '/'],
    ['a/b', '/a~1b'],
    ['c%d', '/c%d'],
    ['e^f', '/e^f'],
    ['i\\j', '/i\\j'],
    ['k"l', '/k"l'],
    [' ', '/ '],
    ['m~n', '/m~0n'],
    ['~1', '/~01'],
    [0, '/0'],
  ])('to %j is %j', (key, pointer) => {
    expect(appendSegment('', key)).toBe(pointer)
    expect(splitPointer(appendSegment('', key))).toEqual([String(key)])
  })

  test.each([
    ['', 'manifest'],
    ['/spec/site', 'site'],
    ['/a~1b', 'a/b'],
    ['/folders/0', '0'],
  ] as const)('%j is formatted as %j', (pointer, name) => {
    expect(readLastSegment(pointer)).toBe(name)
  })
})
