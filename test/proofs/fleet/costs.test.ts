import { type Cost, excesses, mostOf } from './costs.js'

const all: readonly Cost[] = Object.entries(mostOf).map(([what, value]) => ({ what, value, unit: 'MB' }))

test('costs that come to their bounds are not complained of, nor are those that have none', () => {
  expect(excesses([...all, { what: 'something else', value: 1e9, unit: '' }])).toEqual([])
})

test('a cost over its bound is complained of, and so is one that was not measured', () => {
  const [first, second, ...others] = all
  if (first === undefined || second === undefined) throw new Error('there are no bounds')
  expect(excesses([{ ...first, value: first.value + 1 }, ...others])).toEqual([
    `${first.what}: ${first.value + 1} MB, and ${first.value} are allowed`,
    `${second.what} was not measured`,
  ])
})
