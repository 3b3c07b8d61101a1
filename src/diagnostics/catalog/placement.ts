import { lines, paragraph, quoted } from '../words.js'
import { entry, type None } from './entry.js'

/** Lines of a policy, in their place. */
const policy = (...inner: readonly string[]) =>
  lines('upgrade:', '  podPlacementPolicy:', ...inner.map(line => `    ${line}`))

const tolerations = (...inner: readonly string[]) =>
  policy('tolerations:', ...inner.map(line => `  - ${line}`))

const demand = (...inner: readonly string[]) =>
  policy(
    'nodeAffinity:',
    '  requiredDuringSchedulingIgnoredDuringExecution:',
    ...inner.map(line => `    ${line}`),
  )

const expression = (text: string) => demand('nodeSelectorTerms:', `  - matchExpressions: [${text}]`)

/** The placement policy of upgrade pods. */
export const placementEntries = {
  'placement/values-required': entry<{ readonly operator: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §2.7, Kubernetes',
    title: 'An expression compares with no values',
    message: ({ operator }) => `${quoted(operator)} compares a label with \`values\`, and there are none`,
    help: () => 'list at least one value, or use `Exists` or `DoesNotExist`',
    explanation: paragraph(
      '`In` and `NotIn` compare the label of a node with a list of values.',
      'Without values there is nothing to compare with, and Kubernetes refuses the pods of the upgrade.',
      'Where only the key matters, use `Exists` or `DoesNotExist`.',
    ),
    example: {
      wrong: expression('{ key: pool, operator: In }'),
      right: expression('{ key: pool, operator: In, values: [upgrades] }'),
    },
  }),
  'placement/values-forbidden': entry<{ readonly operator: string }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Kubernetes',
    title: 'An expression has values that nothing compares',
    message: ({ operator }) => `${quoted(operator)} looks at the key only and takes no \`values\``,
    help: ({ operator }) =>
      `remove \`values\`, or use ${quoted(operator === 'DoesNotExist' ? 'NotIn' : 'In')} to compare with them`,
    explanation: paragraph(
      '`Exists` and `DoesNotExist` ask whether a node has a label at all.',
      'Kubernetes refuses them with values, and the policy is used only when an upgrade begins: a late moment to learn it.',
      'Remove the values, or compare with them by `In` or `NotIn`.',
    ),
    example: {
      wrong: expression('{ key: pool, operator: Exists, values: [upgrades] }'),
      right: expression('{ key: pool, operator: Exists }'),
    },
  }),
  'placement/no-terms': entry<None>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Kubernetes',
    title: 'A demand on nodes has no terms',
    message: () => 'a demand on nodes has at least one term, and here is none',
    help: () => 'add a term, or remove the demand: an empty `nodeAffinity` leaves every node',
    explanation: paragraph(
      'A node must match one of the terms, and Kubernetes refuses a list of none.',
      'To let the pods run anywhere, leave `nodeAffinity` empty.',
    ),
    example: { wrong: demand('nodeSelectorTerms: []'), right: policy('nodeAffinity: {}') },
  }),
  'placement/empty-term': entry<None>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Kubernetes',
    title: 'A term that no node matches',
    message: () => 'a term without expressions matches no node',
    help: () => 'add an expression, or remove the term',
    explanation: paragraph(
      'One would expect a term without expressions to match every node, but in Kubernetes it matches none.',
      'Where it is the only term of a demand, the pods of an upgrade wait for ever.',
      'Add an expression, or remove the term.',
    ),
    example: {
      wrong: demand('nodeSelectorTerms:', '  - matchExpressions: []'),
      right: demand('nodeSelectorTerms:', '  - matchExpressions: [{ key: pool, operator: Exists }]'),
    },
  }),
  'placement/preferred-shape': entry<None>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Kubernetes',
    title: 'A preference that Kubernetes writes in another way',
    message: () =>
      'the service document writes a preference with `nodeSelectorTerms`, which Kubernetes itself refuses here',
    help: () =>
      'there is nothing to mend in the manifest; where it must hold, use requiredDuringSchedulingIgnoredDuringExecution',
    explanation: paragraph(
      'The service document gives a preference the shape of a demand: `nodeSelectorTerms`.',
      'In Kubernetes a preference is a list of entries with a `weight`, and an API server refuses the other shape.',
      'Whether the service translates it is not shown, so watch the first upgrade that uses the policy.',
      'A demand has one shape in both, and so have tolerations.',
    ),
    example: {
      wrong: policy(
        'nodeAffinity:',
        '  preferredDuringSchedulingIgnoredDuringExecution:',
        '    nodeSelectorTerms:',
        '      - matchExpressions: [{ key: pool, operator: In, values: [upgrades] }]',
      ),
      right: expression('{ key: pool, operator: In, values: [upgrades] }'),
    },
  }),
  'placement/toleration-value': entry<None>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.4',
    title: 'A toleration with `Exists` carries a value',
    message: () => 'a toleration with `Exists` looks at the key only and carries no `value`',
    help: () => 'remove `value`, or use the operator `Equal`',
    explanation: paragraph(
      'A toleration matches a taint when key, value and effect are equal, or by its key alone with `Exists`.',
      'With both an operator that looks at the key only and a value, nobody can tell which was meant, and Kubernetes refuses it.',
    ),
    example: {
      wrong: tolerations('{ key: dedicated, operator: Exists, value: upgrades }'),
      right: tolerations('{ key: dedicated, operator: Exists }'),
    },
  }),
  'placement/toleration-key': entry<None>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.4, Kubernetes',
    title: 'A toleration names no taint',
    message: () => 'a toleration with `Equal`, which is meant where no operator stands, needs a `key`',
    help: () => 'add the key of the taint',
    explanation: paragraph(
      'A toleration without an operator compares as `Equal` does: key, value and effect.',
      'Without a key there is nothing to compare, and Kubernetes refuses it.',
      'Only `Exists` may stand without a key; it then tolerates every taint.',
    ),
    example: {
      wrong: tolerations('{ value: upgrades, effect: NoSchedule }'),
      right: tolerations('{ key: dedicated, value: upgrades, effect: NoSchedule }'),
    },
  }),
  'placement/toleration-effect': entry<None>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.4, Kubernetes',
    title: 'A toleration with `Equal` names no effect',
    message: () =>
      'without `effect` Kubernetes tolerates every effect of this taint; the service compares the effects',
    help: () => 'add `effect: NoSchedule`, or the effect that the taint has',
    explanation: paragraph(
      'The service document lets a toleration match when key, value and effect equal the taint.',
      'Kubernetes takes a toleration without an effect for one of every effect, `NoExecute` included.',
      'With the effect written out both agree; for a taint with two effects write two tolerations.',
    ),
    example: {
      wrong: tolerations('{ key: dedicated, operator: Equal, value: upgrades }'),
      right: tolerations('{ key: dedicated, operator: Equal, value: upgrades, effect: NoSchedule }'),
    },
  }),
  'placement/tolerates-everything': entry<{ readonly effect: string | undefined }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §4.4, Kubernetes',
    title: 'A toleration of every taint',
    message: ({ effect }) =>
      `\`Exists\` without a key tolerates every taint${effect === undefined ? '' : ` with the effect ${quoted(effect)}`}`,
    help: () => 'add the key of the taint that is meant',
    explanation: paragraph(
      'Kubernetes takes `Exists` without a key for every taint: nodes that are not ready, out of memory or kept for others.',
      'The service document asks for a key even with `Exists`.',
      'Name each taint that the pods of an upgrade may meet.',
    ),
    example: {
      wrong: tolerations('{ operator: Exists }'),
      right: tolerations('{ key: dedicated, operator: Exists }'),
    },
  }),
} as const
