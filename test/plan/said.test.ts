import { joinMessages } from '../../src/plan/observation.js'

const words = (message: string, ...details: string[]) => joinMessages({ kind: 'refused', message, details })

test('messages become one text, whether they are sentences or not', () => {
  expect(words('bad license', 'it expired')).toBe('bad license: it expired')
  expect(words('Bad license.', 'It expired.', 'Get another.')).toBe('Bad license. It expired. Get another.')
})

test('details that contain a colon are kept apart', () => {
  expect(words('Failed', 'a: x', 'b')).toBe('Failed: a: x; b')
  expect(words('', 'a: x', 'b', 'a: x')).toBe('a: x; b')
})

test('a repeated message is used once, and an empty one not at all', () => {
  expect(words('bad license', ' bad license ', '')).toBe('bad license')
  expect(words('', ' ')).toBe('')
})
