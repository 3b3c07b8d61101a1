import { lines, paragraph, quoted } from '../words.js'
import { entry } from './entry.js'

/** Texts with a form that Kubernetes defines. */
export const kubernetesEntries = {
  'kubernetes/label-key': entry<{
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
      key === '' ? 'a key cannot be empty' : `${quoted(key)} is not a valid Kubernetes key`,
    help: ({ split }) =>
      split === undefined
        ? 'use up to 63 letters, digits, `-`, `_` and `.`, with an optional DNS prefix and `/`, such as arcgis/tier'
        : `write ${quoted(split)}: the key and the value are separate fields`,
    explanation: paragraph(
      'Kubernetes rejects a volume or a pod whose labels have invalid keys, and `configure` cannot be repeated.',
      'A key begins and ends with a letter or digit, and may contain `-`, `_` and `.` in between.',
      'It may have a prefix: a DNS name in lower case, followed by `/`.',
      'Command-line tools write `key=value` or `key:value`; a manifest has separate fields for key and value.',
    ),
    example: {
      wrong: lines('volumes:', '  BLOB:', '    labels: { arcgis/tier=storage, arcgis/app: ozone }'),
      right: lines('volumes:', '  BLOB:', '    labels: { arcgis/tier: storage, arcgis/app: ozone }'),
    },
  }),
  'kubernetes/label-value': entry<{ readonly field: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Kubernetes',
    title: 'Invalid value of a label or taint',
    message: ({ field }) => `the value of ${quoted(field)} is not a valid Kubernetes label value`,
    help: () => 'use up to 63 letters, digits, `-`, `_` and `.`, beginning and ending with a letter or digit',
    explanation: paragraph(
      'Kubernetes rejects a volume or a pod whose labels have invalid values, and a policy that uses them matches nothing.',
      'A value is empty, or has up to 63 characters and begins and ends with a letter or digit.',
      'In between, `-`, `_` and `.` are allowed, but no blanks and no `/`.',
    ),
    example: {
      wrong: lines('volumes:', '  BLOB:', '    labels: { arcgis/tier: object storage, arcgis/app: ozone }'),
      right: lines('volumes:', '  BLOB:', '    labels: { arcgis/tier: object-storage, arcgis/app: ozone }'),
    },
  }),
} as const
