import { parseEmulatedVersion, parseSpeed, parseStageTimes } from '../../src/cli/emulator/emulator-options.js'
import { parseWhole } from '../../src/cli/options.js'
import { stageNames } from '../../src/contract/responses.js'

test('one stage time is for all stages, and a later word may change one of them', () => {
  const times = parseStageTimes(['2s', 'relational STORE=1m'])
  expect(Object.keys(times)).toEqual(stageNames)
  expect(times).toMatchObject({
    'License validation': 2000,
    'Relational store': 60_000,
    'Pod replicas': 2000,
  })
  expect(parseStageTimes([])).toEqual({})
})

test.each([['soon'], ['Relational=1s'], ['=1s'], ['Queue store=']])('%s is no stage time', word => {
  expect(() => parseStageTimes([word])).toThrow(/stage-time/)
})

test.each([
  ['60x', 60],
  ['60', 60],
  ['0.5x', 0.5],
  ['1000000x', 1_000_000],
])('%s is a speed of %d', (text, speed) => {
  expect(parseSpeed(text)).toBe(speed)
})

test.each(['0', '0.0001', '-1', 'fast', '60xx', '10000000', ''])('"%s" is no speed', text => {
  expect(() => parseSpeed(text)).toThrow('--speed must be a factor such as 60x')
})

test.each(['', '-1', '1.5', '11', 'x', '99999999999'])('"%s" is no number from 1 to 10', text => {
  expect(() => parseWhole('sites', text, { from: 1, to: 10 })).toThrow(
    '--sites must be a number from 1 to 10',
  )
})

test.each(['10.4', '10.5', '11.0', '11.2'])('version %s can be emulated', version => {
  expect(parseEmulatedVersion(version, 'document')).toBe(version)
})

test('what is reported of later versions is for field fidelity alone', () => {
  expect(() => parseEmulatedVersion('12.0', 'document')).toThrow(
    '--service-version must be a version from 10.4 to 11.2, or to 12.1 with --fidelity field',
  )
  expect(parseEmulatedVersion('12.0', 'field')).toBe('12.0')
  expect(() => parseEmulatedVersion('12.2', 'field')).toThrow(
    '--service-version must be a version from 10.4 to 12.1',
  )
})
