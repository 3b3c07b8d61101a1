import { collectPieces } from '../../../src/client/wire/body-pieces.js'

const small = Buffer.from('small')
const large = Buffer.alloc(2400 * 1024, 'l')
const made = Buffer.alloc(2400 * 1024, 'm')

test('what is borrowed and large is sent from where it lies, in pieces, and all else is copied together', () => {
  const { pieces } = collectPieces([small, made, large, small, small], new Set([small, large]))
  expect(Buffer.concat(pieces).equals(Buffer.concat([small, made, large, small, small]))).toBe(true)
  const kilobytes = pieces.map(({ byteLength }) => byteLength >> 10)
  expect(kilobytes).toEqual([2400, 1024, 1024, 352, 0])
  expect(pieces.map(piece => piece.buffer === large.buffer)).toEqual([false, true, true, true, false])
})

test('a body of small values is one piece, even where all of them are borrowed', () => {
  expect(collectPieces([small, small], new Set([small])).pieces).toEqual([Buffer.from('smallsmall')])
})

test('what is copied is wiped, and what is borrowed is not', () => {
  const { pieces, wipe } = collectPieces([small, large], new Set([small, large]))
  wipe()
  expect(Buffer.concat(pieces).indexOf('small')).toBe(-1)
  expect([small.toString(), large.every(byte => byte === 0x6c)]).toEqual(['small', true])
})
