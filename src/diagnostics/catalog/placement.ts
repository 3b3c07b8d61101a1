import { quote } from '../words.js'
import { defineEntry, type NoFacts } from './entry.js'

/** The placement policy of upgrade pods. */
export const placementEntries = {
  'placement/values-required': defineEntry<{ readonly operator: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §2.7, Kubernetes',
    title: 'An expression needs values',
    message: ({ operator }) => `${quote(operator)} requires \`values\`, but there are none`,
    help: () => 'list at least one value, or use `Exists` or `DoesNotExist`',
  }),
  'placement/values-forbidden': defineEntry<{ readonly operator: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Kubernetes',
    title: 'An expression has values that its operator does not use',
    message: ({ operator }) => `${quote(operator)} compares only the key and must not have \`values\``,
    help: ({ operator }) =>
      `remove \`values\`, or use ${quote(operator === 'DoesNotExist' ? 'NotIn' : 'In')} to compare them`,
  }),
  'placement/no-terms': defineEntry<NoFacts>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Kubernetes',
    title: 'Required node affinity without terms',
    message: () => 'required node affinity needs at least one term, but `nodeSelectorTerms` is empty',
    help: () => 'add a term, or remove the requirement: an empty `nodeAffinity` allows every node',
  }),
  'placement/empty-term': defineEntry<NoFacts>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Kubernetes',
    title: 'A node selector term that matches no node',
    message: () => 'a term without expressions matches no node',
    help: () => 'add an expression, or remove the term',
  }),
  'placement/preferred-shape': defineEntry<{ readonly form: 'document' | 'kubernetes' }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Service §2.7, Kubernetes',
    title: 'A preference in one of two forms',
    message: ({ form }) =>
      form === 'document'
        ? 'this preference has the form of the service document, `nodeSelectorTerms`; Kubernetes takes only a list of `weight` and `preference`'
        : 'this preference has the form of Kubernetes, `weight` and `preference`; the service document shows `nodeSelectorTerms`',
    help: () =>
      'it is sent as written: keep the form that the service accepts, with `# landform-ignore-next-line placement/preferred-shape -- REASON` above it',
  }),
  'placement/toleration-value': defineEntry<NoFacts>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.4',
    title: 'A toleration with `Exists` has a value',
    message: () => 'a toleration with `Exists` compares only the key and must not have a `value`',
    help: () => 'remove `value`, or use the operator `Equal`',
  }),
  'placement/toleration-key': defineEntry<NoFacts>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.4, Kubernetes',
    title: 'A toleration without a key',
    message: () => 'a toleration with `Equal`, the default operator, needs a `key`',
    help: () => 'add the key of the taint',
  }),
  'placement/toleration-effect': defineEntry<NoFacts>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.4, Kubernetes',
    title: 'A toleration with `Equal` and without an effect',
    message: () =>
      'without `effect`, Kubernetes tolerates every effect of this taint, but the service compares effects',
    help: () => 'add `effect: NoSchedule`, or the effect of the taint',
  }),
  'placement/tolerates-everything': defineEntry<{ readonly effect: string | undefined }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.4, Kubernetes',
    title: 'A toleration that matches every taint',
    message: ({ effect }) =>
      `\`Exists\` without a key tolerates every taint${effect === undefined ? '' : ` with the effect ${quote(effect)}`}`,
    help: () => 'add the key of the intended taint',
  }),
} as const
