import { buildPlanDocument } from '../../src/plan/saved/plan-document.js'
import { withholdTexts } from '../../src/plan/site-texts.js'
import type { Situation } from '../../src/plan/situation.js'
import { exampleManifest } from '../support/manifests.js'

const situation = {
  desired: { ...exampleManifest('quickstart'), policy: { tolerations: [{ key: 'dedicated' }] } },
  record: { serial: 0 },
  withhold: (text: string) => `[withheld ${text.length}]`,
} as unknown as Situation

test('in a value of a site, texts of the manifest, documented words and codes are kept, and all others are withheld', () => {
  const value = {
    tolerations: [{ key: 'dedicated', operator: 'Exists', value: 'Passw0rd', tolerationSeconds: 5 }],
    secret12: '11.2',
  }
  expect(withholdTexts({ kept: ['Passw0rd.enabled'], upgradeConfig: value }, situation)).toEqual({
    kept: ['[withheld 16]'],
    upgradeConfig: {
      tolerations: [{ key: 'dedicated', operator: 'Exists', value: '[withheld 8]', tolerationSeconds: 5 }],
      '[withheld 8]': '11.2',
    },
  })
  expect(withholdTexts(value, { ...situation, withhold: undefined })).toBe(value)
})

test('only the other value of a field is withheld, and the name of a setting that is not managed', () => {
  const fields = [{ pointer: '/spec/logLevel', before: 'Passw0rd', after: 'INFO' }, { found: ['Passw0rd'] }]
  const unmanaged = [{ setting: 'upgradeConfig', name: 'Passw0rd' }]
  expect(withholdTexts({ fields, unmanaged }, situation)).toEqual({
    fields: [
      { pointer: '/spec/logLevel', before: '[withheld 8]', after: 'INFO' },
      { found: ['[withheld 8]'] },
    ],
    unmanaged: [{ setting: 'upgradeConfig', name: '[withheld 8]' }],
  })
})

test('the document of a plan has placeholders without the numbers of a process', () => {
  const plan = { actions: [], immutable: [], fields: [], name: '[withheld 12]' }
  const documents = [plan, { ...plan, name: '[withheld 7]' }].map(one => buildPlanDocument(one as never))
  expect(documents[0]).toMatchObject({ name: '[withheld]' })
  expect(documents[0]?.id).toBe(documents[1]?.id)
})
