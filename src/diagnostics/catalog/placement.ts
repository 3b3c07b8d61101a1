import { quoted } from '../words.js'
import { entry, type None } from './entry.js'

/** The placement policy of upgrade pods. */
export const placementEntries = {
  'placement/values-required': entry<{ readonly operator: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §2.7',
    title: 'An expression compares with no values',
    message: ({ operator }) => `${quoted(operator)} compares a label with \`values\`, and there are none`,
    help: () => 'list at least one value, or use `Exists` or `DoesNotExist`',
  }),
  'placement/toleration-value': entry<None>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.4',
    title: 'A toleration with `Exists` carries a value',
    message: () => 'a toleration with `Exists` looks at the key only and carries no `value`',
    help: () => 'remove `value`, or use the operator `Equal`',
  }),
} as const
