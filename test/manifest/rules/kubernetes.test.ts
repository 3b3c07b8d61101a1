import type { JsonObject } from '../../../src/schema/json-schema.js'
import { appendSegment } from '../../../src/schema/pointer.js'
import { anUpgradeWith, type Changes, diagnosticsOf, problemsOf } from '../../support/changed-manifest.js'
import { rule } from '../../support/rule-table.js'

const at =
  '/spec/upgrade/podPlacementPolicy/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchExpressions/0'
const atToleration = '/spec/upgrade/podPlacementPolicy/tolerations/0'
const expression = (value: JsonObject): Changes => ({ '/spec/upgrade': anUpgradeWith(value) })
const toleration = (value: JsonObject): Changes => ({
  '/spec/upgrade': { podPlacementPolicy: { tolerations: [{ effect: 'NoSchedule', ...value }] } },
})
const label = (key: string, value: string | null = 'a'): Changes => ({
  '/metadata/labels': { [key]: value },
})
const volumeLabel = (key: string, value: string | null): Changes => ({
  '/spec/volumes/QUEUE/labels': { tier: 'a', app: 'a', [key]: value },
})

rule('label keys have their form', [
  ['a name', label('team'), []],
  ['a prefix and a name', label('example.org/team'), []],
  ['a key with its value', label('team=gis'), ['kubernetes/label-key /metadata/labels/team=gis']],
  ['only a key with its value', label('team=gis', null), ['kubernetes/label-key /metadata/labels/team=gis']],
  ['a valid key with nothing', label('team', null), ['manifest/wrong-type /metadata/labels/team']],
  ['no key', label(''), ['kubernetes/label-key /metadata/labels/']],
  ['of a volume', volumeLabel('a b', 'a'), ['kubernetes/label-key /spec/volumes/QUEUE/labels/a b']],
  ['of an expression', expression({ key: 'a b', operator: 'Exists' }), [`kubernetes/label-key ${at}/key`]],
  [
    'an empty one of an expression',
    expression({ key: '', operator: 'Exists' }),
    [`manifest/malformed-value ${at}/key`],
  ],
  [
    'a long one of an expression',
    expression({ key: 'a'.repeat(1025), operator: 'Exists' }),
    [`manifest/malformed-value ${at}/key`],
  ],
  [
    'of a toleration',
    toleration({ key: 'a b', operator: 'Exists' }),
    [`kubernetes/label-key ${atToleration}/key`],
  ],
])

rule('label values have their form', [
  ['none', label('team', ''), []],
  ['a word', label('team', 'GIS_1'), []],
  ['two words', label('team', 'a b'), ['kubernetes/label-value /metadata/labels/team']],
  ['64 characters', label('team', 'a'.repeat(64)), ['kubernetes/label-value /metadata/labels/team']],
  [
    'too long for any text',
    label('team', '-'.repeat(1025)),
    ['manifest/malformed-value /metadata/labels/team'],
  ],
  ['of a volume', volumeLabel('a', '/a'), ['kubernetes/label-value /spec/volumes/QUEUE/labels/a']],
  [
    'of an expression',
    expression({ key: 'a', operator: 'In', values: ['a', 'b c', ''] }),
    [`kubernetes/label-value ${at}/values/1`],
  ],
  [
    'of a toleration',
    toleration({ key: 'a', value: 'b c' }),
    [`kubernetes/label-value ${atToleration}/value`],
  ],
])

describe('a label key with a value in it', () => {
  test.each<[string, Changes, string]>([
    ['tier=storage', label('arcgis/tier=storage'), '`arcgis/tier: storage`'],
    ['tier:storage', label('arcgis/tier:storage'), '`arcgis/tier: storage`'],
    ['tier=', label('tier='), '`tier: `'],
    [
      'in an expression',
      expression({ key: 'pool=a', operator: 'Exists' }),
      '`key: pool, operator: In, values: [a]`',
    ],
    ['a taint', toleration({ key: 'a=b:NoSchedule' }), '`key: a, value: b, effect: NoSchedule`'],
    ['a taint without a value', toleration({ key: 'a:NoExecute' }), '`key: a, effect: NoExecute`'],
  ])('is shown in its fields: %s', (_, changes, shown) => {
    expect(diagnosticsOf(changes)[0]?.help).toContain(shown)
  })

  test.each(['=a', 'a b=c', 'a=b c', 'a=b=c', `a=${'b'.repeat(64)}`])(
    'is not split if the parts would be invalid: %s',
    key => {
      const [diagnostic] = diagnosticsOf(label(key))
      expect(diagnostic?.code).toBe('kubernetes/label-key')
      expect(diagnostic?.help).toContain('with an optional DNS prefix')
    },
  )
})

test('a key of a hundred thousand characters is rejected like any other', () => {
  const key = '-.'.repeat(50_000)
  expect(problemsOf(label(key))).toEqual([`kubernetes/label-key ${appendSegment('/metadata/labels', key)}`])
})
