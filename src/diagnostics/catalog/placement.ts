import {
  demand,
  matchExpressionFields,
  operatorsWithoutValues,
  operatorsWithValues,
  operatorWithoutValue,
  preference,
  tolerationFields,
  tolerationOperators,
} from '../../contract/placement.js'
import { isObject } from '../../schema/json-schema.js'
import { appendSegment } from '../../schema/pointer.js'
import { places, placesInTerms, select, selectAll, type ValueIndex } from '../../schema/select.js'
import { findMisspelledFields } from '../did-you-mean.js'
import { quote } from '../words.js'
import { defineRule } from './rule.js'

const expressions = placesInTerms('matchExpressions/*')

/** The placement policy of upgrade pods. */
export const placementEntries = {
  'placement/values-required': defineRule({
    severity: 'error',
    marks: 'value',
    source: 'Service §2.7, Kubernetes',
    title: 'An expression needs values',
    *check({ index }) {
      for (const { value: expression, pointer } of selectAll(index, expressions)) {
        if (!isObject(expression) || typeof expression['operator'] !== 'string') continue
        const { operator, values = [] } = expression
        if (!operatorsWithValues.includes(operator as string)) continue
        if (!Array.isArray(values) || values.length > 0) continue
        if (findMisspelledFields(expression, Object.keys(matchExpressionFields)).includes('values')) continue
        const at = appendSegment(pointer, 'values' in expression ? 'values' : 'operator')
        yield [at, { operator: operator as string }]
      }
    },
    message: ({ operator }) => `${quote(operator)} requires \`values\`, but there are none`,
    help: () => 'list at least one value, or use `Exists` or `DoesNotExist`',
  }),
  'placement/values-forbidden': defineRule({
    severity: 'error',
    marks: 'value',
    source: 'Kubernetes',
    title: 'An expression has values that its operator does not use',
    *check({ index }) {
      for (const { value: expression, pointer } of selectAll(index, expressions)) {
        if (!isObject(expression)) continue
        const { operator, values } = expression
        if (typeof operator !== 'string' || !operatorsWithoutValues.includes(operator)) continue
        if (Array.isArray(values) && values.length > 0) yield [appendSegment(pointer, 'values'), { operator }]
      }
    },
    message: ({ operator }) => `${quote(operator)} compares only the key and must not have \`values\``,
    help: ({ operator }) =>
      `remove \`values\`, or use ${quote(operator === 'DoesNotExist' ? 'NotIn' : 'In')} to compare them`,
  }),
  'placement/no-terms': defineRule({
    severity: 'error',
    marks: 'value',
    source: 'Kubernetes',
    title: 'Required node affinity without terms',
    *check({ index }) {
      for (const { pointer, value: terms } of select(
        index,
        `${places.nodeAffinity}/${demand}/nodeSelectorTerms`,
      ))
        if (Array.isArray(terms) && terms.length === 0) yield [pointer, {}]
    },
    message: () => 'required node affinity needs at least one term, but `nodeSelectorTerms` is empty',
    help: () => 'add a term, or remove the requirement: an empty `nodeAffinity` allows every node',
  }),
  'placement/empty-term': defineRule({
    severity: 'warning',
    marks: 'value',
    source: 'Kubernetes',
    title: 'A node selector term that matches no node',
    *check({ index }) {
      for (const { pointer, value: listed } of selectAll(index, placesInTerms('matchExpressions')))
        if (Array.isArray(listed) && listed.length === 0) yield [pointer, {}]
    },
    message: () => 'a term without expressions matches no node',
    help: () => 'add an expression, or remove the term',
  }),
  'placement/preferred-shape': defineRule<{ readonly form: 'document' | 'kubernetes' }>({
    severity: 'warning',
    marks: 'key',
    source: 'Service §2.7, Kubernetes',
    title: 'A preference in one of two forms',
    // The document does not show which form the service accepts.
    *check({ index }) {
      for (const { pointer, value } of select(index, `${places.nodeAffinity}/${preference}`))
        if (Array.isArray(value)) yield [pointer, { form: 'kubernetes' }]
        else if (isObject(value) && 'nodeSelectorTerms' in value) yield [pointer, { form: 'document' }]
    },
    message: ({ form }) =>
      form === 'document'
        ? 'this preference has the form of the service document, `nodeSelectorTerms`; Kubernetes takes only a list of `weight` and `preference`'
        : 'this preference has the form of Kubernetes, `weight` and `preference`; the service document shows `nodeSelectorTerms`',
    help: () =>
      'it is sent as written: keep the form that the service accepts, with `# landform-ignore-next-line placement/preferred-shape -- REASON` above it',
  }),
  'placement/toleration-value': defineRule({
    severity: 'error',
    marks: 'value',
    source: 'Service §4.4',
    title: 'A toleration with `Exists` has a value',
    *check({ index }) {
      for (const { value: toleration, pointer } of select(index, places.tolerations))
        if (isObject(toleration) && toleration['operator'] === operatorWithoutValue && 'value' in toleration)
          yield [appendSegment(pointer, 'value'), {}]
    },
    message: () => 'a toleration with `Exists` compares only the key and must not have a `value`',
    help: () => 'remove `value`, or use the operator `Equal`',
  }),
  'placement/toleration-key': defineRule({
    severity: 'error',
    marks: 'value',
    source: 'Service §4.4, Kubernetes',
    title: 'A toleration without a key',
    *check({ index }) {
      for (const { at, operator } of findKeyless(index))
        if (operator !== operatorWithoutValue && tolerationOperators.some(known => known === operator))
          yield [at, {}]
    },
    message: () => 'a toleration with `Equal`, the default operator, needs a `key`',
    help: () => 'add the key of the taint',
  }),
  'placement/toleration-effect': defineRule({
    severity: 'warning',
    marks: 'value',
    source: 'Service §4.4, Kubernetes',
    title: 'A toleration with `Equal` and without an effect',
    *check({ index }) {
      for (const { value: toleration, pointer } of select(index, places.tolerations)) {
        if (!isObject(toleration) || 'effect' in toleration) continue
        const { key = '', operator = 'Equal' } = toleration
        const misspelt = findMisspelledFields(toleration, Object.keys(tolerationFields))
        if (key === '' || operator !== 'Equal') continue
        if (!misspelt.includes('effect') && !misspelt.includes('operator')) yield [pointer, {}]
      }
    },
    message: () =>
      'without `effect`, Kubernetes tolerates every effect of this taint, but the service compares effects',
    help: () => 'add `effect: NoSchedule`, or the effect of the taint',
  }),
  'placement/tolerates-everything': defineRule({
    severity: 'warning',
    marks: 'value',
    source: 'Service §4.4, Kubernetes',
    title: 'A toleration that matches every taint',
    *check({ index }) {
      for (const { at, operator, effect } of findKeyless(index))
        if (operator === operatorWithoutValue)
          yield [at, { effect: typeof effect === 'string' ? effect : undefined }]
    },
    message: ({ effect }) =>
      `\`Exists\` without a key tolerates every taint${effect === undefined ? '' : ` with the effect ${quote(effect)}`}`,
    help: () => 'add the key of the intended taint',
  }),
} as const

/** Finds the tolerations without a key, with their operators (default `Equal`), unless either field is misspelled. */
function* findKeyless(index: ValueIndex) {
  for (const { value: toleration, pointer } of select(index, places.tolerations)) {
    if (!isObject(toleration)) continue
    const { key = '', operator = 'Equal', effect } = toleration
    const misspelt = findMisspelledFields(toleration, Object.keys(tolerationFields))
    if (key !== '' || misspelt.includes('key') || misspelt.includes('operator')) continue
    yield { at: 'key' in toleration ? appendSegment(pointer, 'key') : pointer, operator, effect }
  }
}
