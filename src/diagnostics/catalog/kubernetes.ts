import { quote } from '../words.js'
import { defineEntry } from './entry.js'

/** Texts with a form that Kubernetes defines. */
export const kubernetesEntries = {
  'kubernetes/label-key': defineEntry<{
    readonly key: string
    /** The same in the right fields, if the key contains more than a key. */
    readonly split: string | undefined
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Kubernetes',
    title: 'Invalid key of a label or taint',
    message: ({ key }) =>
      key === '' ? 'a key cannot be empty' : `${quote(key)} is not a valid Kubernetes key`,
    help: ({ split }) =>
      split === undefined
        ? 'use up to 63 letters, digits, `-`, `_` and `.`, with an optional DNS prefix and `/`, such as arcgis/tier'
        : `write ${quote(split)}: the key and the value are separate fields`,
  }),
  'kubernetes/label-value': defineEntry<{ readonly field: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Kubernetes',
    title: 'Invalid value of a label or taint',
    message: ({ field }) => `the value of ${quote(field)} is not a valid Kubernetes label value`,
    help: () => 'use up to 63 letters, digits, `-`, `_` and `.`, beginning and ending with a letter or digit',
  }),
} as const
