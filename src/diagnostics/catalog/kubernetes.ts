import { lines, paragraph, quoted } from '../words.js'
import { entry } from './entry.js'

/** Texts that Kubernetes has a form for. */
export const kubernetesEntries = {
  'kubernetes/label-key': entry<{
    readonly key: string
    /** The same in the right fields, where the key holds more than a key. */
    readonly split: string | undefined
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Kubernetes',
    title: 'Not the key of a label or a taint',
    message: ({ key }) =>
      key === '' ? 'a key cannot be empty' : `${quoted(key)} is no key that Kubernetes takes`,
    help: ({ split }) =>
      split === undefined
        ? 'a key is a name of up to 63 letters, digits, `-`, `_` and `.`, perhaps after a DNS name and `/`, such as arcgis/tier'
        : `write ${quoted(split)}: the key and its value are two fields`,
    explanation: paragraph(
      'Kubernetes refuses a volume or a pod whose labels have other keys, and `configure` cannot be repeated.',
      'A key is a name that begins and ends with a letter or digit; in between may stand `-`, `_` and `.`.',
      'Before it may stand a DNS name in lower case and one `/`.',
      'Tools for the command line write `key=value` or `key:value`; in a manifest key and value are two things.',
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
    title: 'Not the value of a label or a taint',
    message: ({ field }) => `${quoted(field)} has a value that Kubernetes does not take`,
    help: () =>
      'a value has up to 63 letters, digits, `-`, `_` and `.`, and begins and ends with a letter or digit',
    explanation: paragraph(
      'Kubernetes refuses a volume or a pod whose labels have other values, and a policy that asks for them matches nothing.',
      'A value is empty, or has up to 63 characters and begins and ends with a letter or digit.',
      'In between may stand `-`, `_` and `.`, but no blanks and no `/`.',
    ),
    example: {
      wrong: lines('volumes:', '  BLOB:', '    labels: { arcgis/tier: object storage, arcgis/app: ozone }'),
      right: lines('volumes:', '  BLOB:', '    labels: { arcgis/tier: object-storage, arcgis/app: ozone }'),
    },
  }),
} as const
