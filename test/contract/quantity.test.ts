import fc from 'fast-check'
import {
  compareQuantities,
  parseQuantity,
  type StorageUnit,
  storageUnits,
} from '../../src/contract/kubernetes.js'

const billion = 10n ** 9n

describe('a storage quantity', () => {
  // From the tests of Kubernetes: a text, and its bytes as a number and a power of ten.
  test.each<[string, bigint, number]>([
    ['1Ki', 1024n, 0],
    ['8Ki', 8192n, 0],
    ['7Mi', 7340032n, 0],
    ['6Gi', 6442450944n, 0],
    ['5Ti', 5497558138880n, 0],
    ['4Pi', 4503599627370496n, 0],
    ['3Ei', 3458764513820540928n, 0],
    ['100Ti', 109951162777600n, 0],
    ['8k', 8n, 3],
    ['50k', 5n, 4],
    ['7M', 7n, 6],
    ['6G', 6n, 9],
    ['300T', 3n, 14],
    ['2P', 2n, 15],
    ['1E', 1n, 18],
    ['100.035k', 100035n, 0],
    ['0.0005k', 5n, -1],
    ['0.00050k', 5n, -1],
    ['7.123456M', 7123456n, 0],
    ['6.987654321G', 6987654321n, 0],
    ['2.5P', 25n, 14],
    ['1.01E', 101n, 16],
    ['100.035Ki', 10243584n, -2],
    ['0.5Mi', 524288n, 0],
    ['0.05Gi', 536870912n, -1],
    ['0.025Ti', 274877906944n, -1],
    ['0Gi', 0n, 0],
  ])('%s', (text, bytes, exponent) => {
    const [up, down] = [10n ** BigInt(Math.max(exponent, 0)), 10n ** BigInt(Math.max(-exponent, 0))]
    expect(parseQuantity(text)).toBe((bytes * up * billion) / down)
  })

  test.each([
    '',
    '1',
    '1.',
    '.5Gi',
    '1.G',
    '1e3',
    '1E3',
    '3m',
    '4u',
    '5n',
    '+1Gi',
    '-1Gi',
    '1 Gi',
    '1Gi ',
    '1gi',
  ])('is not %j', text => {
    expect(parseQuantity(text)).toBeUndefined()
  })

  // From the tests of Kubernetes, which rejects these as well.
  test.each(['1.1.M', '1+1.0M', '0.1mi', '0.1am', 'aoeu', '.5i', '1i', '-3.01i', '-3.01e-'])(
    'is not %j to Kubernetes either',
    text => {
      expect(parseQuantity(text)).toBeUndefined()
    },
  )

  test('has at most nine decimal places and fifteen digits before them', () => {
    expect(parseQuantity('0.0000000001k')).toBeUndefined()
    expect(parseQuantity('1234567890123456Ki')).toBeUndefined()
    expect(parseQuantity('123456789012345.123456789Ei')).toBeDefined()
  })
})

describe('two quantities', () => {
  const number = fc.nat({ max: 1_000_000 })
  const unit = fc.constantFrom<StorageUnit>(...storageUnits)
  const quantity = fc.tuple(number, fc.nat({ max: 999 }), unit).map(([a, b, u]) => `${a}.${b}${u}`)

  test.each([
    ['16Gi', '16384Mi', 0],
    ['1.5Gi', '1536Mi', 0],
    ['16G', '16Gi', -1],
    ['16Ki', '16k', 1],
    ['10000T', '100Gi', 1],
    ['0Gi', '0k', 0],
  ] as const)('%s and %s compare as %i', (one, other, expected) => {
    expect(compareQuantities(one, other)).toBe(expected)
  })

  test('are not comparable if one is invalid', () => {
    expect(compareQuantities('16Gi', '16')).toBeUndefined()
    expect(compareQuantities('', '16Gi')).toBeUndefined()
  })

  test('are equal if the next smaller unit has 1024 or 1000 times the number', () => {
    const smaller = { Mi: 'Ki', Gi: 'Mi', Ti: 'Gi', Pi: 'Ti', Ei: 'Pi' } as const
    const decimal = { M: 'k', G: 'M', T: 'G', P: 'T', E: 'P' } as const
    fc.assert(
      fc.property(number, fc.constantFrom(...Object.entries(smaller)), (count, [large, small]) => {
        expect(compareQuantities(`${count}${large}`, `${count * 1024}${small}`)).toBe(0)
      }),
    )
    fc.assert(
      fc.property(number, fc.constantFrom(...Object.entries(decimal)), (count, [large, small]) => {
        expect(compareQuantities(`${count}${large}`, `${count * 1000}${small}`)).toBe(0)
      }),
    )
  })

  test('compare the other way round if swapped, and each is equal to itself', () => {
    fc.assert(
      fc.property(quantity, quantity, (one, other) => {
        expect(compareQuantities(other, one)).toBe(0 - (compareQuantities(one, other) ?? Number.NaN))
        expect(compareQuantities(one, one)).toBe(0)
      }),
    )
  })

  test('compare as their numbers do if the unit is the same', () => {
    fc.assert(
      fc.property(number, number, unit, (one, other, suffix) => {
        expect(compareQuantities(`${one}${suffix}`, `${other}${suffix}`)).toBe(Math.sign(one - other))
      }),
    )
  })

  test('do not change with insignificant zeros', () => {
    fc.assert(
      fc.property(quantity, text => {
        const longer = `00${text.replace(/(?=[A-Za-z])/, '00')}`
        expect(compareQuantities(text, longer)).toBe(0)
      }),
    )
  })
})
