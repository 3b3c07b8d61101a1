import { numberWaves, parseWaves } from '../../packages/fleet/src/model/submission.js'

const sizes = (text: string, count: number) => {
  const reaches = parseWaves(text)
  const waves = reaches && numberWaves(count, reaches)
  return waves && [...new Set(waves)].map(wave => waves.filter(one => one === wave).length)
}

describe('waves', () => {
  test.each<[string, number, readonly number[]]>([
    ['1,10%,100%', 100, [1, 9, 90]],
    ['1,10%,100%', 5, [1, 4]],
    ['1,10%,100%', 1, [1]],
    ['1,10%,100%', 0, []],
    ['100%', 7, [7]],
    ['5', 12, [5, 7]],
    ['5,20', 12, [5, 7]],
    ['1,2,50%', 10, [1, 1, 3, 5]],
    ['33%', 10, [4, 6]],
    ['7%', 100, [7, 93]],
    [' 1 , 100% ', 3, [1, 2]],
  ])('%s of %i sites are split into %j', (text, count, expected) => {
    expect(sizes(text, count)).toEqual(expected)
  })

  test('are numbered from 1 in the order of their sites', () => {
    for (let count = 0; count < 40; count += 1)
      for (const text of ['1,10%,100%', '3', '20%', '50%,7', '1,2,3']) {
        const waves = numberWaves(count, parseWaves(text) ?? [])
        const numbers = [...new Set(waves)]
        expect(waves).toEqual(waves.toSorted((a, b) => a - b))
        expect([waves.length, numbers]).toEqual([count, numbers.map((_, at) => at + 1)])
      }
  })

  test.each(['', '0', '1,', '0%', '101%', '-1', '1.5', '10%,10%', '5,3', '50%,1,10%', 'all', '1;2'])(
    'cannot be %j',
    text => {
      expect(parseWaves(text)).toBeUndefined()
    },
  )
})
