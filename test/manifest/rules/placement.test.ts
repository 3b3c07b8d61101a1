import type { JsonObject, JsonValue } from '../../../src/schema/json-schema.js'
import { anUpgradeWith, type Changes, diagnosticsOf } from '../../support/changed-manifest.js'
import { rule } from '../../support/rule-table.js'

const policy = '/spec/upgrade/podPlacementPolicy'
const demand = `${policy}/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution`
const preference = `${policy}/nodeAffinity/preferredDuringSchedulingIgnoredDuringExecution`
const terms = (nodeSelectorTerms: JsonValue, kind = demand): Changes => ({ [kind]: { nodeSelectorTerms } })
const good = { matchExpressions: [{ key: 'pool', operator: 'Exists' }] }

rule('demands have terms', [
  ['one', terms([good]), []],
  ['none', terms([]), [`placement/no-terms ${demand}/nodeSelectorTerms`]],
  ['an empty affinity', { [`${policy}/nodeAffinity`]: {} }, []],
])

rule('terms have expressions', [
  [
    'none',
    terms([{ matchExpressions: [] }]),
    [`placement/empty-term ${demand}/nodeSelectorTerms/0/matchExpressions`],
  ],
  [
    'an empty term next to a valid one',
    terms([good, { matchExpressions: [] }]),
    [`placement/empty-term ${demand}/nodeSelectorTerms/1/matchExpressions`],
  ],
])

rule('preferences may be refused', [
  ['the form of the service', terms([good], preference), [`placement/preferred-shape ${preference}`]],
  [
    'the form of Kubernetes',
    { [preference]: [{ weight: 1, preference: good }] },
    [`placement/preferred-shape ${preference}`],
  ],
  [
    'the form of Kubernetes, without a weight',
    { [preference]: [{ preference: good }] },
    [`placement/preferred-shape ${preference}`, `manifest/missing-field ${preference}/0`],
  ],
  [
    'the form of Kubernetes, with a mistake in an expression',
    { [preference]: [{ weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'In' }] } }] },
    [
      `placement/preferred-shape ${preference}`,
      `placement/values-required ${preference}/0/preference/matchExpressions/0/operator`,
    ],
  ],
])

const expression = (value: JsonObject): Changes => ({
  '/spec/upgrade': anUpgradeWith({ key: 'k', ...value }),
})
const values = [`placement/values-forbidden ${demand}/nodeSelectorTerms/0/matchExpressions/0/values`]
rule('presence takes no values', [
  ['Exists without values', expression({ operator: 'Exists' }), []],
  ['Exists with an empty list', expression({ operator: 'Exists', values: [] }), []],
  ['Exists with values', expression({ operator: 'Exists', values: ['v'] }), values],
  ['DoesNotExist with values', expression({ operator: 'DoesNotExist', values: ['v'] }), values],
  ['In with values', expression({ operator: 'In', values: ['v'] }), []],
])

const toleration = (value: JsonObject): Changes => ({ [`${policy}/tolerations`]: [value] })
const at = `${policy}/tolerations/0`
rule('tolerations name their taint', [
  [
    'Equal without a key',
    toleration({ operator: 'Equal', value: 'v', effect: 'NoSchedule' }),
    [`placement/toleration-key ${at}`],
  ],
  ['no operator and no key', toleration({ effect: 'NoSchedule' }), [`placement/toleration-key ${at}`]],
  ['nothing at all', toleration({}), [`placement/toleration-key ${at}`]],
  ['an empty key', toleration({ key: '', value: 'v' }), [`placement/toleration-key ${at}/key`]],
  ['Exists without a key', toleration({ operator: 'Exists' }), [`placement/tolerates-everything ${at}`]],
  [
    'Exists with an empty key',
    toleration({ key: '', operator: 'Exists' }),
    [`placement/tolerates-everything ${at}/key`],
  ],
  ['a misspelt key', toleration({ keys: 'k', effect: 'NoSchedule' }), [`manifest/unknown-field ${at}/keys`]],
  ['a misspelt operator', toleration({ operater: 'Exists' }), [`manifest/unknown-field ${at}/operater`]],
  [
    'no operator of a toleration',
    toleration({ operator: 'In' }),
    [`manifest/value-not-allowed ${at}/operator`],
  ],
])

rule('Equal compares an effect', [
  [
    'Equal without a value',
    toleration({ key: 'k', operator: 'Equal', value: 'v' }),
    [`placement/toleration-effect ${at}`],
  ],
  ['no operator', toleration({ key: 'k', value: 'v' }), [`placement/toleration-effect ${at}`]],
  ['Equal with a value', toleration({ key: 'k', value: 'v', effect: 'NoExecute' }), []],
  ['Exists without a value', toleration({ key: 'k', operator: 'Exists' }), []],
  ['misspelt', toleration({ key: 'k', efect: 'NoExecute' }), [`manifest/unknown-field ${at}/efect`]],
])

describe('a field of Kubernetes that the service document does not have', () => {
  test.each<[string, Changes, string]>([
    ['tolerationSeconds', toleration({ key: 'k', operator: 'Exists', tolerationSeconds: 5 }), '`effect`'],
    ['matchFields', terms([{ matchFields: [] }]), '`matchExpressions`'],
  ])('is one unknown field with help: %s', (field, changes, allowed) => {
    const [diagnostic, ...more] = diagnosticsOf(changes)
    expect(more).toEqual([])
    expect(diagnostic?.code).toBe('manifest/unknown-field')
    expect(diagnostic?.help).toContain(`\`${field}\` is a Kubernetes field`)
    expect(diagnostic?.help).toContain(allowed)
  })
})
