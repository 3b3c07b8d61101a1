import { fields } from '../../contract/fields.js'
import { isBelow, type JsonPointer, nameOf } from '../../diagnostics/pointer.js'
import { fieldAround } from '../../schema/homes.js'
import type { ImmutableEdit, Plan } from '../plan.js'

/**
 * Names what can change a field once the organization exists, as its row says; nothing is known of extra parameters.
 * Service §4.3, §4.4.
 */
export function changedLaterBy(pointer: JsonPointer): ImmutableEdit['because'] | 'update' {
  const later = fieldAround(pointer)?.later
  return typeof later === 'string' ? later : 'no-operation'
}

/** Something that is settled for good once `configure` is accepted. */
export interface Settled {
  readonly pointer: JsonPointer
  /** What it is, for people. */
  readonly what: string
}

// The order in which people read them; a new one comes last.
const first = ['administrator', 'license', 'volumes', 'cloudStorage', 'profile', 'dataStores', 'folders']

const parts = new Map<JsonPointer, string>(
  fields.flatMap(({ pointer, later }) =>
    typeof later === 'string' ? [] : [[later.part ?? pointer, later.immutable] as const],
  ),
)

const settledParts: readonly Settled[] = [
  ...[...parts].map(([pointer, what]) => ({ pointer, what })).toSorted((a, b) => rank(a) - rank(b)),
  { pointer: '/spec/deploymentProfiles', what: 'the availability and performance profiles' },
  { pointer: '/spec/extra', what: 'the extra parameters' },
]

function rank({ pointer }: Settled): number {
  const index = first.indexOf(nameOf(pointer))
  return index < 0 ? first.length : index
}

/** What a plan settles for good: no operation is shown that changes it afterwards. Service §4.3. */
export function settledBy({ actions }: Pick<Plan, 'actions'>): readonly Settled[] {
  const [configure] = actions
  if (configure?.change !== 'create') return []
  const isNamed = (pointer: JsonPointer) => configure.fields.some(field => isBelow(field.pointer, pointer))
  // Without one in the manifest the service takes its default, for good as well.
  const hasDefault = !isNamed('/spec/deploymentProfiles')
  const isSet = (pointer: JsonPointer) => isNamed(pointer) || (pointer === '/spec/profile' && hasDefault)
  return settledParts.filter(({ pointer }) => isSet(pointer))
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
