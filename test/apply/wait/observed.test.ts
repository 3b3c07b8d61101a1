import {
  findDifference,
  isBlank,
  isSameDifference,
  mergeMarks,
  type SiteMark,
  selectMark,
} from '../../../src/apply/wait/observed.js'

const exact = { version: '11.2.0.5814' } as const
const rounded = { version: '11.2', isRounded: true } as const

test.each<[SiteMark, SiteMark]>([
  [{}, {}],
  [
    { ...exact, build: '7' },
    { ...exact, build: '7' },
  ],
  [rounded, rounded],
  [{ isRounded: true }, {}],
  [{ build: '7' }, { build: '7' }],
])('the mark in %j is %j', (told, mark) => {
  expect(selectMark({ ...told, more: 1 } as SiteMark)).toEqual(mark)
})

test('an answer is blank that has neither version nor build', () => {
  expect([{}, exact, { build: '7' }, { ...exact, build: '7' }].map(isBlank)).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test.each<[SiteMark, SiteMark, ReturnType<typeof findDifference>]>([
  [exact, exact, undefined],
  [exact, {}, undefined],
  [{}, exact, undefined],
  [exact, { version: '11.2.0.5815' }, { kind: 'another-version', was: '11.2.0.5814', is: '11.2.0.5815' }],
  [exact, rounded, undefined],
  [rounded, exact, undefined],
  [rounded, { version: '11.3.0.1' }, { kind: 'another-version', was: '11.2', is: '11.3.0.1' }],
  [{ version: '11.3.0.1' }, rounded, { kind: 'another-version', was: '11.3.0.1', is: '11.2' }],
  [rounded, rounded, undefined],
  [rounded, { version: '11.2.1', isRounded: true }, { kind: 'another-version', was: '11.2', is: '11.2.1' }],
  [{ version: '11.2' }, exact, { kind: 'another-version', was: '11.2', is: '11.2.0.5814' }],
  [{ version: '11.2' }, { version: '11.2.0' }, undefined],
  [{ build: '7' }, { build: '8' }, { kind: 'another-build', was: '7', is: '8' }],
  [{ build: '7' }, { build: '7' }, undefined],
  [{ build: '7' }, exact, undefined],
  [exact, { ...exact, build: '7' }, undefined],
  [
    { ...exact, build: '7' },
    { version: '12', build: '8' },
    { kind: 'another-version', was: '11.2.0.5814', is: '12' },
  ],
])('%j and %j differ in %j', (known, told, difference) => {
  expect(findDifference(known, told)).toEqual(difference)
})

test('two differences are the same that come to the same', () => {
  const one = { kind: 'another-version', was: '11.1', is: '11.2' } as const
  expect(isSameDifference(one, { ...one, was: '10.9' })).toBe(true)
  expect(isSameDifference(one, { ...one, is: '11.3' })).toBe(false)
  expect(isSameDifference(one, { ...one, kind: 'another-build' })).toBe(false)
})

test.each<[SiteMark, SiteMark, SiteMark]>([
  [exact, rounded, exact],
  [rounded, exact, exact],
  [rounded, { version: '11.2.0', isRounded: true }, { version: '11.2.0', isRounded: true }],
  [rounded, {}, rounded],
  [{}, {}, {}],
  [{ ...exact, build: '7' }, {}, { ...exact, build: '7' }],
  [{ ...exact, build: '7' }, { build: '8' }, { ...exact, build: '8' }],
  [{ ...rounded, build: '7' }, exact, { ...exact, build: '7' }],
  [{ build: '7' }, rounded, { ...rounded, build: '7' }],
])('of %j and %j is kept %j', (known, told, kept) => {
  expect(mergeMarks(known, told)).toEqual(kept)
})
