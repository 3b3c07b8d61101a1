import { isBelow, type JsonPointer } from '../../diagnostics/pointer.js'
import type { ImmutableEdit, Plan } from '../plan.js'

/**
 * What could change a field once the organization exists. The service document shows one operation that changes
 * something later, `update`, and says of system properties that there is another. Service §4.3, §4.4.
 */
export function changedLaterBy(pointer: JsonPointer): ImmutableEdit['because'] | 'update' {
  if (isBelow(pointer, '/spec/upgrade')) return 'update'
  return isBelow(pointer, '/spec/systemProperties') ? 'another-operation' : 'no-operation'
}

/** Something that is settled for good once `configure` is accepted. */
export interface Settled {
  readonly pointer: JsonPointer
  /** What it is, for people. */
  readonly what: string
}

const whatOf: readonly Settled[] = [
  { pointer: '/spec/administrator', what: 'the initial administrator' },
  { pointer: '/spec/license', what: 'the license it is created with' },
  { pointer: '/spec/volumes', what: 'the eight volumes: sizes, storage classes, labels' },
  { pointer: '/spec/cloudStorage', what: 'the cloud storage' },
  { pointer: '/spec/profile', what: 'the architecture profile' },
  { pointer: '/spec/dataStores', what: 'the data stores registered at creation' },
  { pointer: '/spec/folders', what: 'the root folders registered at creation' },
  { pointer: '/spec/logLevel', what: 'the log level during configuration' },
  { pointer: '/spec/extra', what: 'the extra parameters' },
]

/** What a plan settles for good: no operation is shown that changes it afterwards. Service §4.3. */
export function settledBy({ actions }: Pick<Plan, 'actions'>): readonly Settled[] {
  const [configure] = actions
  if (configure?.change !== 'create') return []
  // Without one in the manifest the service takes its default, for good as well.
  const isSet = (pointer: JsonPointer) =>
    pointer === '/spec/profile' || configure.fields.some(field => isBelow(field.pointer, pointer))
  return whatOf.filter(({ pointer }) => isSet(pointer))
}

const emptiedWhat: Readonly<Record<string, string>> = {
  '/spec/upgrade/podPlacementPolicy/nodeAffinity': 'the node affinity of upgrade pods',
  '/spec/upgrade/podPlacementPolicy/tolerations': 'the tolerations of upgrade pods',
}

/** What an update removes unseen: the site does not tell it, and the manifest names none. Service §4.4. */
export function emptiedBy({ actions }: Pick<Plan, 'actions'>): readonly Settled[] {
  const pointers = actions.flatMap(action => (action.change === 'update' ? (action.emptied ?? []) : []))
  return pointers.map(pointer => ({ pointer, what: emptiedWhat[pointer] ?? pointer }))
}
