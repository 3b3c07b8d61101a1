import { hasForm, labelKeyForm, labelValueForm } from '../../contract/kubernetes.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { appendSegment } from '../../diagnostics/pointer.js'
import { longestText } from '../../schema/fields.js'
import { listNames, places, placesInTerms, selectAll } from '../../schema/select.js'
import type { Rule } from './rule.js'

const labels = [places.manifestLabels, places.volumeLabels]
const keys = [
  { patterns: placesInTerms('matchExpressions/*/key'), as: formatExpression },
  { patterns: [`${places.tolerations}/key`], as: formatToleration },
]

/** Keys of labels and taints are valid in Kubernetes. Service §2.4, §2.7, Kubernetes. */
export const labelKeysHaveTheirForm: Rule = function* ({ index }) {
  for (const map of selectAll(index, labels))
    for (const key of listNames(map.value))
      if (!hasForm(key, labelKeyForm))
        yield diagnose('kubernetes/label-key', appendSegment(map.pointer, key), {
          key,
          split: splitKey(key, formatLabel),
        })
  for (const { patterns, as } of keys)
    for (const found of selectAll(index, patterns)) {
      const key = found.value
      // Other checks report an empty or too long key.
      if (typeof key !== 'string' || key === '' || key.length > longestText) continue
      if (!hasForm(key, labelKeyForm))
        yield diagnose('kubernetes/label-key', found.pointer, { key, split: splitKey(key, as) })
    }
}

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
