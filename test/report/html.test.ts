import { renderCode, renderPlace } from '../../src/report/html.js'

const breaks = (markup: string) => markup.replaceAll('<wbr>', '|').replaceAll(/<[^>]+>/g, '')

test.each([
  ['volumes.RELATIONAL_PRIMARY.size', 'volumes.|RELATIONAL_|PRIMARY.|size'],
  ['../environments/base.yaml', '../environments/|base.yaml'],
  ['http://127.0.0.1:8080/gis/admin', 'http://127.0.0.1:8080/|gis/|admin'],
  ['size 16Gi, labels arcgis/tier=storage', 'size 16Gi, labels arcgis/tier=storage'],
  ['no-input', 'no-input'],
])('%s breaks between its parts only', (name, broken) => {
  expect(breaks(renderCode(name).markup)).toBe(broken)
})

test('a place breaks between its folders only', () => {
  expect(breaks(renderPlace('environments/base.yaml:11').markup)).toBe('environments/|base.yaml:11')
  expect(breaks(renderPlace('site.yaml:11').markup)).toBe('site.yaml:11')
})
