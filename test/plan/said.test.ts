import { joinMessages } from '../../src/plan/observation.js'

const words = (message: string, ...details: string[]) => joinMessages({ kind: 'refused', message, details })

test('what was said reads as one text, whether it was said in sentences or not', () => {
  expect(words('bad license', 'it expired')).toBe('bad license: it expired')
  expect(words('Bad license.', 'It expired.', 'Get another.')).toBe('Bad license. It expired. Get another.')
})

test('details that have a colon themselves stay apart', () => {
  expect(words('Failed', 'a: x', 'b')).toBe('Failed: a: x; b')
  expect(words('', 'a: x', 'b', 'a: x')).toBe('a: x; b')
})

test('a thing that was said twice is there once, and nothing is no text', () => {
  expect(words('bad license', ' bad license ', '')).toBe('bad license')
  expect(words('', ' ')).toBe('')
})
