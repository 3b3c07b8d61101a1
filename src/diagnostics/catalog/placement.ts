import { joinLines, joinSentences, quote } from '../words.js'
import { defineEntry, type NoFacts } from './entry.js'

/** Indents the lines of a policy. */
const formatPolicy = (...inner: readonly string[]) =>
  joinLines('upgrade:', '  podPlacementPolicy:', ...inner.map(line => `    ${line}`))

const formatTolerations = (...inner: readonly string[]) =>
  formatPolicy('tolerations:', ...inner.map(line => `  - ${line}`))

const formatRequirement = (...inner: readonly string[]) =>
  formatPolicy(
    'nodeAffinity:',
    '  requiredDuringSchedulingIgnoredDuringExecution:',
    ...inner.map(line => `    ${line}`),
  )

const formatExpression = (text: string) =>
  formatRequirement('nodeSelectorTerms:', `  - matchExpressions: [${text}]`)

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
    explanation: () =>
      joinSentences(
        '`In` and `NotIn` compare the label of a node with a list of values.',
        'Without values there is nothing to compare, and Kubernetes rejects the upgrade pods.',
        'If only the key matters, use `Exists` or `DoesNotExist`.',
      ),
    example: () => ({
      wrong: formatExpression('{ key: pool, operator: In }'),
      right: formatExpression('{ key: pool, operator: In, values: [upgrades] }'),
    }),
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
    explanation: () =>
      joinSentences(
        '`Exists` and `DoesNotExist` only test whether a node has the label.',
        'Kubernetes rejects them with values, and the policy is used only when an upgrade begins, so the error would appear late.',
        'Remove the values, or compare them with `In` or `NotIn`.',
      ),
    example: () => ({
      wrong: formatExpression('{ key: pool, operator: Exists, values: [upgrades] }'),
      right: formatExpression('{ key: pool, operator: Exists }'),
    }),
  }),
  'placement/no-terms': defineEntry<NoFacts>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Kubernetes',
    title: 'Required node affinity without terms',
    message: () => 'required node affinity needs at least one term, but `nodeSelectorTerms` is empty',
    help: () => 'add a term, or remove the requirement: an empty `nodeAffinity` allows every node',
    explanation: () =>
      joinSentences(
        'A node must match one of the terms, and Kubernetes rejects an empty list.',
        'To let the pods run anywhere, leave `nodeAffinity` empty.',
      ),
    example: () => ({
      wrong: formatRequirement('nodeSelectorTerms: []'),
      right: formatPolicy('nodeAffinity: {}'),
    }),
  }),
  'placement/empty-term': defineEntry<NoFacts>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Kubernetes',
    title: 'A node selector term that matches no node',
    message: () => 'a term without expressions matches no node',
    help: () => 'add an expression, or remove the term',
    explanation: () =>
      joinSentences(
        'In Kubernetes a term without expressions matches no node, not every node.',
        'If it is the only required term, the upgrade pods stay pending.',
        'Add an expression, or remove the term.',
      ),
    example: () => ({
      wrong: formatRequirement('nodeSelectorTerms:', '  - matchExpressions: []'),
      right: formatRequirement(
        'nodeSelectorTerms:',
        '  - matchExpressions: [{ key: pool, operator: Exists }]',
      ),
    }),
  }),
  'placement/preferred-shape': defineEntry<NoFacts>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Kubernetes',
    title: 'A preference in a form that Kubernetes does not use',
    message: () =>
      'the service document uses `nodeSelectorTerms` in a preference; Kubernetes itself rejects that',
    help: () =>
      'nothing to fix in the manifest; if nodes must match, use requiredDuringSchedulingIgnoredDuringExecution',
    explanation: () =>
      joinSentences(
        'The service document writes a preference like a requirement: with `nodeSelectorTerms`.',
        'In Kubernetes a preference is a list of entries with a `weight`, and the API server rejects the other form.',
        'It is not documented whether the service translates it, so watch the first upgrade that uses the policy.',
        'Requirements and tolerations have the same form in both.',
      ),
    example: () => ({
      wrong: formatPolicy(
        'nodeAffinity:',
        '  preferredDuringSchedulingIgnoredDuringExecution:',
        '    nodeSelectorTerms:',
        '      - matchExpressions: [{ key: pool, operator: In, values: [upgrades] }]',
      ),
      right: formatExpression('{ key: pool, operator: In, values: [upgrades] }'),
    }),
  }),
  'placement/toleration-value': defineEntry<NoFacts>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.4',
    title: 'A toleration with `Exists` has a value',
    message: () => 'a toleration with `Exists` compares only the key and must not have a `value`',
    help: () => 'remove `value`, or use the operator `Equal`',
    explanation: () =>
      joinSentences(
        'A toleration matches a taint when key, value and effect are equal, or by its key alone with `Exists`.',
        '`Exists` with a value is ambiguous, and Kubernetes rejects it.',
      ),
    example: () => ({
      wrong: formatTolerations('{ key: dedicated, operator: Exists, value: upgrades }'),
      right: formatTolerations('{ key: dedicated, operator: Exists }'),
    }),
  }),
  'placement/toleration-key': defineEntry<NoFacts>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.4, Kubernetes',
    title: 'A toleration without a key',
    message: () => 'a toleration with `Equal`, the default operator, needs a `key`',
    help: () => 'add the key of the taint',
    explanation: () =>
      joinSentences(
        'A toleration without an operator compares like `Equal`: key, value and effect.',
        'Without a key there is nothing to compare, and Kubernetes rejects it.',
        'Only `Exists` can be used without a key; it then tolerates every taint.',
      ),
    example: () => ({
      wrong: formatTolerations('{ value: upgrades, effect: NoSchedule }'),
      right: formatTolerations('{ key: dedicated, value: upgrades, effect: NoSchedule }'),
    }),
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
    explanation: () =>
      joinSentences(
        'In the service document a toleration matches when key, value and effect equal the taint.',
        'In Kubernetes a toleration without an effect matches every effect, including `NoExecute`.',
        'With an explicit effect both agree; for a taint with two effects write two tolerations.',
      ),
    example: () => ({
      wrong: formatTolerations('{ key: dedicated, operator: Equal, value: upgrades }'),
      right: formatTolerations('{ key: dedicated, operator: Equal, value: upgrades, effect: NoSchedule }'),
    }),
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
    explanation: () =>
      joinSentences(
        'In Kubernetes `Exists` without a key matches every taint, including those of nodes that are not ready, out of memory or reserved.',
        'The service document requires a key even with `Exists`.',
        'Name each taint that the upgrade pods may tolerate.',
      ),
    example: () => ({
      wrong: formatTolerations('{ operator: Exists }'),
      right: formatTolerations('{ key: dedicated, operator: Exists }'),
    }),
  }),
} as const
