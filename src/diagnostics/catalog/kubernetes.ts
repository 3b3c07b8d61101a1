import { joinLines, joinSentences, quote } from '../words.js'
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
    explanation: () =>
      joinSentences(
        'Kubernetes rejects a volume or a pod whose labels have invalid keys, and `configure` cannot be repeated.',
        'A key begins and ends with a letter or digit, and may contain `-`, `_` and `.` in between.',
        'It may have a prefix: a DNS name in lower case, followed by `/`.',
        'Command-line tools write `key=value` or `key:value`; a manifest has separate fields for key and value.',
      ),
    example: () => ({
      wrong: joinLines('volumes:', '  BLOB:', '    labels: { arcgis/tier=storage, arcgis/app: ozone }'),
      right: joinLines('volumes:', '  BLOB:', '    labels: { arcgis/tier: storage, arcgis/app: ozone }'),
    }),
  }),
  'kubernetes/label-value': defineEntry<{ readonly field: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Kubernetes',
    title: 'Invalid value of a label or taint',
    message: ({ field }) => `the value of ${quote(field)} is not a valid Kubernetes label value`,
    help: () => 'use up to 63 letters, digits, `-`, `_` and `.`, beginning and ending with a letter or digit',
    explanation: () =>
      joinSentences(
        'Kubernetes rejects a volume or a pod whose labels have invalid values, and a policy that uses them matches nothing.',
        'A value is empty, or has up to 63 characters and begins and ends with a letter or digit.',
        'In between, `-`, `_` and `.` are allowed, but no blanks and no `/`.',
      ),
    example: () => ({
      wrong: joinLines(
        'volumes:',
        '  BLOB:',
        '    labels: { arcgis/tier: object storage, arcgis/app: ozone }',
      ),
      right: joinLines(
        'volumes:',
        '  BLOB:',
        '    labels: { arcgis/tier: object-storage, arcgis/app: ozone }',
      ),
    }),
  }),
} as const
