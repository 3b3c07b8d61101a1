import { renderCode, renderPlace } from '../../src/report/html.js'

const breaks = (markup: string) => markup.replaceAll('<wbr>', '|').replaceAll(/<[^>]+>/g, '')

test.each([
  ['volumes.RELATIONAL_PRIMARY.size', 'volumes.|RELATIONAL_|PRIMARY.|size'],
  ['../environments/base.yaml', '../environments/|base.|yaml'],
  ['no-input', 'no-input'],
])('the name %s breaks between its parts only', (name, broken) => {
  expect(breaks(renderCode(name).markup)).toBe(broken)
})

test('a place breaks before its line', () => {
  expect(breaks(renderPlace('environments/base.yaml:11').markup)).toBe('environments/|base.|yaml|:11')
})
