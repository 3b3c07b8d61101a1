import { labelKeyForm, labelValueForm } from '../../contract/kubernetes.js'
import {
  affinityKinds,
  demand,
  matchExpressionFields,
  matchOperatorMeanings,
  operatorsWithoutValues,
  operatorsWithValues,
  operatorWithoutValue,
  policyFields,
  tolerationEffectMeanings,
  tolerationFields,
  tolerationOperatorMeanings,
  usualTolerationOperator,
} from '../../contract/placement.js'
import { choiceOf, field, formed, listOf, longestText, record, reference } from '../fields.js'
import { type JsonSchema, saidByRule, when } from '../json-schema.js'
import { parameterField } from './contract-fields.js'
import { expressionSnippets, tolerationSnippets } from './snippets.js'

const section = 'Service §2.7'
const text: JsonSchema = { type: 'string', maxLength: longestText }
const value: JsonSchema = { ...text, allOf: [formed('kubernetes/label-value', labelValueForm)] }

const looksAtTheKeyOnly: JsonSchema = {
  properties: { operator: { const: operatorWithoutValue } },
  required: ['operator'],
}

/** Inlined twice, because a description beside a reference would be ignored. */
function nodeSelector(meaning: string): JsonSchema {
  const nodeSelectorTerms = field('Terms; a node must match one of them.', section, {
    type: 'array',
    'x-compare': 'set',
    items: reference('NodeSelectorTerm'),
  })
  return field(meaning, section, {
    'x-shape': 'NodeSelector',
    ...record({ nodeSelectorTerms }, ['nodeSelectorTerms']),
  })
}

/** The placement policy of upgrade pods. Service §2.7, §4.4. */
export const placementDefinitions: { readonly [name: string]: JsonSchema } = {
  Upgrade: parameterField(
    '/spec/upgrade',
    record({ podPlacementPolicy: reference('PodPlacementPolicy') }, ['podPlacementPolicy']),
  ),
  PodPlacementPolicy: field(
    policyFields.podPlacementPolicy,
    section,
    record(
      {
        nodeAffinity: reference('NodeAffinity'),
        tolerations: field(policyFields.tolerations, section, {
          'x-merge-by': ['key', 'effect'],
          'x-compare': 'set',
          ...listOf('Toleration', tolerationSnippets),
          default: [],
        }),
      },
      [],
    ),
  ),
  NodeAffinity: field(policyFields.nodeAffinity, section, {
    ...record(
      Object.fromEntries(
        Object.entries(affinityKinds).map(([kind, meaning]) => [kind, nodeSelector(meaning)]),
      ),
      [],
    ),
    default: {},
    allOf: [
      saidByRule('placement/no-terms', {
        properties: { [demand]: { properties: { nodeSelectorTerms: { minItems: 1 } } } },
      }),
    ],
  }),
  NodeSelectorTerm: field(
    'Expressions, all of which a node must match.',
    section,
    record(
      {
        matchExpressions: field('Expressions; a node matches the term if it matches all of them.', section, {
          'x-compare': 'set',
          ...listOf('MatchExpression', expressionSnippets),
        }),
      },
      ['matchExpressions'],
    ),
  ),
  MatchExpression: field('One comparison with a label of the node.', section, {
    defaultSnippets: expressionSnippets,
    ...record(
      {
        key: field(matchExpressionFields.key, section, {
          ...text,
          minLength: 1,
          allOf: [formed('kubernetes/label-key', labelKeyForm)],
          examples: ['pool'],
        }),
        operator: field(matchExpressionFields.operator, section, choiceOf(matchOperatorMeanings)),
        values: field(matchExpressionFields.values, section, {
          type: 'array',
          'x-compare': 'set',
          items: value,
        }),
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
      when(
        { properties: { operator: { enum: operatorsWithoutValues } }, required: ['operator'] },
        saidByRule('placement/values-forbidden', { properties: { values: { maxItems: 0 } } }),
      ),
    ],
  }),
  Toleration: field('One taint that the pods tolerate.', 'Service §2.7, §4.4 rule 3', {
    defaultSnippets: tolerationSnippets,
    ...record(
      {
        key: field(tolerationFields.key, section, {
          ...text,
          allOf: [formed('kubernetes/label-key', labelKeyForm, true)],
          examples: ['dedicated'],
        }),
        operator: field(tolerationFields.operator, `${section}; its default: Kubernetes`, {
          ...choiceOf(tolerationOperatorMeanings),
          default: usualTolerationOperator,
        }),
        value: field(tolerationFields.value, section, { ...value, examples: ['upgrades'] }),
        effect: field(tolerationFields.effect, section, choiceOf(tolerationEffectMeanings)),
      },
      [],
    ),
    allOf: [
      when(looksAtTheKeyOnly, saidByRule('placement/toleration-value', { properties: { value: false } })),
      when(
        { not: looksAtTheKeyOnly },
        saidByRule('placement/toleration-key', {
          required: ['key'],
          properties: { key: { minLength: 1 } },
        }),
      ),
    ],
  }),
}
