import { labelKeyForm, labelValueForm } from '../../contract/kubernetes.js'
import {
  type AffinityKind,
  affinityKinds,
  demand,
  matchExpressionFields,
  matchOperatorMeanings,
  operatorsWithoutValues,
  operatorsWithValues,
  operatorWithoutValue,
  policyFields,
  preference,
  preferredTermFields,
  tolerationEffectMeanings,
  tolerationFields,
  tolerationOperatorMeanings,
  usualTolerationOperator,
} from '../../contract/placement.js'
import {
  buildChoice,
  buildList,
  buildRecord,
  buildReference,
  buildText,
  describeField,
  longestText,
} from '../fields.js'
import { buildCondition, type JsonSchema, markAsRule } from '../json-schema.js'
import { buildParameterField } from './contract-fields.js'
import { expressionSnippets, tolerationSnippets } from './snippets.js'

const section = 'Service §2.7'
const weightedSection = `${section}; its form: Kubernetes`
const text: JsonSchema = { type: 'string', maxLength: longestText }
const value: JsonSchema = { ...text, allOf: [buildText('kubernetes/label-value', labelValueForm)] }

const looksAtTheKeyOnly: JsonSchema = {
  properties: { operator: { const: operatorWithoutValue } },
  required: ['operator'],
}

const selector = buildRecord(
  {
    nodeSelectorTerms: describeField('A node must match one of these terms.', section, {
      type: 'array',
      'x-compare': 'set',
      items: buildReference('NodeSelectorTerm'),
    }),
  },
  ['nodeSelectorTerms'],
)

/** A preference may have the form of the document or that of Kubernetes, which is a list. */
const affinitySchemas: Readonly<Record<AffinityKind, JsonSchema>> = {
  [demand]: selector,
  [preference]: { ...selector, type: ['object', 'array'], items: buildReference('PreferredTerm') },
}

/** The placement policy of upgrade pods. Service §2.7, §4.4. */
export function buildPlacementDefinitions(): { readonly [name: string]: JsonSchema } {
  return {
    Upgrade: buildParameterField(
      '/spec/upgrade',
      buildRecord({ podPlacementPolicy: buildReference('PodPlacementPolicy') }, ['podPlacementPolicy']),
    ),
    PodPlacementPolicy: describeField(
      policyFields.podPlacementPolicy,
      section,
      buildRecord(
        {
          nodeAffinity: buildReference('NodeAffinity'),
          tolerations: describeField(policyFields.tolerations, section, {
            'x-merge-by': ['key', 'effect'],
            'x-compare': 'set',
            ...buildList('Toleration', tolerationSnippets),
            default: [],
          }),
        },
        [],
      ),
    ),
    NodeAffinity: describeField(policyFields.nodeAffinity, section, {
      ...buildRecord(
        Object.fromEntries(
          Object.entries(affinitySchemas).map(([kind, schema]) => [
            kind,
            describeField(affinityKinds[kind as AffinityKind], section, schema),
          ]),
        ),
        [],
      ),
      default: {},
      allOf: [
        markAsRule('placement/no-terms', {
          properties: { [demand]: { properties: { nodeSelectorTerms: { minItems: 1 } } } },
        }),
      ],
    }),
    PreferredTerm: describeField(
      'This is one preference in the form of Kubernetes.',
      weightedSection,
      buildRecord(
        {
          weight: describeField(preferredTermFields.weight, weightedSection, {
            type: 'integer',
            minimum: 1,
            maximum: 100,
          }),
          preference: buildReference('NodeSelectorTerm'),
        },
        Object.keys(preferredTermFields),
      ),
    ),
    NodeSelectorTerm: describeField(
      'A node must match all of these expressions.',
      section,
      buildRecord(
        {
          matchExpressions: describeField(
            'A node matches the term if it matches all of these expressions.',
            section,
            {
              'x-compare': 'set',
              ...buildList('MatchExpression', expressionSnippets),
            },
          ),
        },
        ['matchExpressions'],
      ),
    ),
    MatchExpression: describeField('This is one comparison with a label of the node.', section, {
      defaultSnippets: expressionSnippets,
      ...buildRecord(
        {
          key: describeField(matchExpressionFields.key, section, {
            ...text,
            minLength: 1,
            allOf: [buildText('kubernetes/label-key', labelKeyForm)],
            examples: ['pool'],
          }),
          operator: describeField(
            matchExpressionFields.operator,
            section,
            buildChoice(matchOperatorMeanings),
          ),
          values: describeField(matchExpressionFields.values, section, {
            type: 'array',
            'x-compare': 'set',
            items: value,
          }),
        },
        ['key', 'operator'],
      ),
      allOf: [
        buildCondition(
          { properties: { operator: { enum: operatorsWithValues } }, required: ['operator'] },
          markAsRule('placement/values-required', {
            required: ['values'],
            properties: { values: { minItems: 1 } },
          }),
        ),
        buildCondition(
          { properties: { operator: { enum: operatorsWithoutValues } }, required: ['operator'] },
          markAsRule('placement/values-forbidden', { properties: { values: { maxItems: 0 } } }),
        ),
      ],
    }),
    Toleration: describeField('The pods tolerate this taint.', 'Service §2.7, §4.4 rule 3', {
      defaultSnippets: tolerationSnippets,
      ...buildRecord(
        {
          key: describeField(tolerationFields.key, section, {
            ...text,
            allOf: [buildText('kubernetes/label-key', labelKeyForm, true)],
            examples: ['dedicated'],
          }),
          operator: describeField(tolerationFields.operator, `${section}; its default: Kubernetes`, {
            ...buildChoice(tolerationOperatorMeanings),
            default: usualTolerationOperator,
          }),
          value: describeField(tolerationFields.value, section, { ...value, examples: ['upgrades'] }),
          effect: describeField(tolerationFields.effect, section, buildChoice(tolerationEffectMeanings)),
        },
        [],
      ),
      allOf: [
        buildCondition(
          looksAtTheKeyOnly,
          markAsRule('placement/toleration-value', { properties: { value: false } }),
        ),
        buildCondition(
          { not: looksAtTheKeyOnly },
          markAsRule('placement/toleration-key', {
            required: ['key'],
            properties: { key: { minLength: 1 } },
          }),
        ),
      ],
    }),
  }
}
