import {
  affinityKinds,
  matchExpressionFields,
  matchOperators,
  operatorsWithValues,
  operatorWithoutValue,
  policyFields,
  tolerationEffects,
  tolerationFields,
  tolerationOperators,
} from '../../contract/placement.js'
import { field, parameterField, record, reference } from '../fields.js'
import { type JsonSchema, saidByRule, when } from '../json-schema.js'

const section = 'Service §2.7'
const text: JsonSchema = { type: 'string', minLength: 1, maxLength: 1024 }
const values: JsonSchema = { type: 'array', items: { type: 'string', maxLength: 1024 } }

/** The placement policy of upgrade pods. Service §2.7, §4.4. */
export const placementDefinitions: { readonly [name: string]: JsonSchema } = {
  Upgrade: parameterField(
    'update',
    'upgradeConfig',
    record({ podPlacementPolicy: reference('PodPlacementPolicy') }, ['podPlacementPolicy']),
  ),
  PodPlacementPolicy: field(
    policyFields.podPlacementPolicy,
    section,
    record(
      {
        nodeAffinity: reference('NodeAffinity'),
        tolerations: field(policyFields.tolerations, section, {
          type: 'array',
          items: reference('Toleration'),
          default: [],
        }),
      },
      [],
    ),
  ),
  NodeAffinity: field(policyFields.nodeAffinity, section, {
    ...record(
      Object.fromEntries(Object.keys(affinityKinds).map(kind => [kind, reference('NodeSelector')])),
      [],
    ),
    default: {},
  }),
  NodeSelector: field(
    'Terms that nodes are compared with.',
    section,
    record(
      {
        nodeSelectorTerms: field('Terms; a node that matches one of them matches.', section, {
          type: 'array',
          items: reference('NodeSelectorTerm'),
        }),
      },
      ['nodeSelectorTerms'],
    ),
  ),
  NodeSelectorTerm: field(
    'Expressions that a node must all match.',
    section,
    record(
      {
        matchExpressions: field(
          'Expressions; a node matches the term when it matches all of them.',
          section,
          {
            type: 'array',
            items: reference('MatchExpression'),
          },
        ),
      },
      ['matchExpressions'],
    ),
  ),
  MatchExpression: field('One comparison with a label of the node.', section, {
    ...record(
      {
        key: field(matchExpressionFields.key, section, { ...text, examples: ['pool'] }),
        operator: field(matchExpressionFields.operator, section, { enum: matchOperators }),
        values: field(matchExpressionFields.values, section, values),
      },
      ['key', 'operator'],
    ),
    allOf: [
      when(
        { properties: { operator: { enum: operatorsWithValues } }, required: ['operator'] },
        saidByRule('placement/values-required', {
          required: ['values'],
          properties: { values: { minItems: 1 } },
        }),
      ),
    ],
  }),
  Toleration: field('One taint that the pods tolerate.', 'Service §2.7, §4.4 rule 3', {
    ...record(
      {
        key: field(tolerationFields.key, section, {
          type: 'string',
          maxLength: 1024,
          examples: ['dedicated'],
        }),
        operator: field(tolerationFields.operator, section, { enum: tolerationOperators }),
        value: field(tolerationFields.value, section, {
          type: 'string',
          maxLength: 1024,
          examples: ['upgrades'],
        }),
        effect: field(tolerationFields.effect, section, { enum: tolerationEffects }),
      },
      [],
    ),
    allOf: [
      when(
        { properties: { operator: { const: operatorWithoutValue } }, required: ['operator'] },
        saidByRule('placement/toleration-value', { properties: { value: false } }),
      ),
    ],
  }),
}
