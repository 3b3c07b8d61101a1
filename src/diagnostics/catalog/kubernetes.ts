import { hasForm, labelKeyForm, labelValueForm } from '../../contract/kubernetes.js'
import { longestText } from '../../schema/fields.js'
import { appendSegment, readLastSegment, readParent } from '../../schema/pointer.js'
import { listNames, places, placesInTerms, selectAll } from '../../schema/select.js'
import { quote } from '../words.js'
import { defineRule } from './rule.js'

/** Fields that hold a key, each with the function that splits a key with a value or effect into the right fields. */
const keys = [
  { patterns: placesInTerms('matchExpressions/*/key'), as: formatExpression },
  { patterns: [`${places.tolerations}/key`], as: formatToleration },
]

const values = [
  `${places.manifestLabels}/*`,
  `${places.volumeLabels}/*`,
  ...placesInTerms('matchExpressions/*/values/*'),
  `${places.tolerations}/value`,
]

/** Texts with a form that Kubernetes defines. */
export const kubernetesEntries = {
  'kubernetes/label-key': defineRule({
    severity: 'error',
    marks: 'key',
    source: 'Kubernetes',
    title: 'Invalid key of a label or taint',
    *check({ index }) {
      for (const map of selectAll(index, [places.manifestLabels, places.volumeLabels]))
        for (const key of listNames(map.value))
          if (!hasForm(key, labelKeyForm))
            yield [appendSegment(map.pointer, key), { key, split: splitKey(key, formatLabel) }]
      for (const { patterns, as } of keys)
        for (const at of selectAll(index, patterns)) {
          const key = at.value
          // Other checks report an empty or too long key.
          if (typeof key !== 'string' || key === '' || key.length > longestText) continue
          if (!hasForm(key, labelKeyForm)) yield [at.pointer, { key, split: splitKey(key, as) }]
        }
    },
    message: ({ key }) =>
      key === '' ? 'a key cannot be empty' : `${quote(key)} is not a valid Kubernetes key`,
    help: ({ split }) =>
      split === undefined
        ? 'use up to 63 letters, digits, `-`, `_` and `.`, with an optional DNS prefix and `/`, such as arcgis/tier'
        : `write ${quote(split)}: the key and the value are separate fields`,
  }),
  'kubernetes/label-value': defineRule({
    severity: 'error',
    marks: 'value',
    source: 'Kubernetes',
    title: 'Invalid value of a label or taint',
    *check({ index }) {
      for (const at of selectAll(index, values)) {
        const { value } = at
        // The schema reports text that is too long.
        if (typeof value !== 'string' || value.length > longestText || hasForm(value, labelValueForm))
          continue
        const inList = readLastSegment(readParent(at.pointer)) === 'values'
        yield [at.pointer, { field: readLastSegment(inList ? readParent(at.pointer) : at.pointer) }]
      }
    },
    message: ({ field }) => `the value of ${quote(field)} is not a valid Kubernetes label value`,
    help: () => 'use up to 63 letters, digits, `-`, `_` and `.`, beginning and ending with a letter or digit',
  }),
} as const

interface KeyParts {
  readonly key: string
  readonly value: string | undefined
  /** The text after the last colon, as `kubectl taint` writes the effect. */
  readonly effect: string | undefined
}

/** Splits `key=value`, `key:value` and `key=value:effect` into the fields they belong to. */
function splitKey(text: string, as: (parts: KeyParts) => string): string | undefined {
  if (text.length > labelKeyForm.longest + 2 * labelValueForm.longest) return undefined
  const [, key, value, effect] = /^([^=:]+)(?:=([^=:]*))?(?::([^=:]*))?$/.exec(text) ?? []
  if (key === undefined || !hasForm(key, labelKeyForm)) return undefined
  return [value, effect].every(part => hasForm(part ?? '', labelValueForm))
    ? as({ key, value, effect })
    : undefined
}

function formatLabel({ key, value, effect }: KeyParts): string {
  return `${key}: ${value ?? effect}`
}

function formatExpression({ key, value, effect }: KeyParts): string {
  return `key: ${key}, operator: In, values: [${value ?? effect}]`
}

function formatToleration({ key, value, effect }: KeyParts): string {
  return [`key: ${key}`, value && `value: ${value}`, effect && `effect: ${effect}`].filter(Boolean).join(', ')
}
