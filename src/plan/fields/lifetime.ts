import { fields } from '../../contract/fields.js'
import { isBelow, type JsonPointer, readLastSegment } from '../../diagnostics/pointer.js'
import { findFieldAround } from '../../schema/parameter-paths.js'
import type { ImmutablePart } from '../generated/plan.js'
import type { ImmutableEdit, Plan } from '../plan.js'

export type { ImmutablePart } from '../generated/plan.js'

/**
 * Finds the operation that can change a field once the organization exists, from its row in the contract; `undefined`
 * for extra parameters. Service §4.3, §4.4.
 */
export function findLaterChange(pointer: JsonPointer): ImmutableEdit['because'] | 'update' {
  const later = findFieldAround(pointer)?.later
  if (later === 'update') return later
  return later !== undefined && 'operation' in later ? 'another-operation' : 'no-operation'
}

/** Finds the operation of the service that changes a field which Landform cannot change. */
export function findOtherOperation(pointer: JsonPointer): string | undefined {
  const later = findFieldAround(pointer)?.later
  return typeof later === 'object' && 'operation' in later ? later.operation : undefined
}

// The order in which people read them; new ones come last.
const first = ['administrator', 'license', 'volumes', 'cloudStorage', 'profile', 'dataStores', 'folders']

const parts = new Map<JsonPointer, string>(
  fields.flatMap(({ pointer, later }) =>
    typeof later === 'object' && 'immutable' in later
      ? [[later.part ?? pointer, later.immutable] as const]
      : [],
  ),
)

const immutableParts: readonly ImmutablePart[] = [
  ...[...parts].map(([pointer, what]) => ({ pointer, what })).toSorted((a, b) => rank(a) - rank(b)),
  { pointer: '/spec/deploymentProfiles', what: 'the availability and performance profiles' },
  { pointer: '/spec/extra', what: 'the extra parameters' },
]

function rank({ pointer }: ImmutablePart): number {
  const index = first.indexOf(readLastSegment(pointer))
  return index < 0 ? first.length : index
}

/** Lists the parts that are immutable once a plan is applied: no operation changes them afterwards. Service §4.3. */
export function listImmutableParts({ actions }: Pick<Plan, 'actions'>): readonly ImmutablePart[] {
  const [configure] = actions
  if (configure?.change !== 'create') return []
  const isNamed = (pointer: JsonPointer) => configure.fields.some(field => isBelow(field.pointer, pointer))
  // Without one in the manifest the service uses its default, which is immutable as well.
  const hasDefault = !isNamed('/spec/deploymentProfiles')
  const isSet = (pointer: JsonPointer) => isNamed(pointer) || (pointer === '/spec/profile' && hasDefault)
  return immutableParts.filter(({ pointer }) => isSet(pointer))
}

/**
 * Lists the fields that an update may empty unnoticed: the site does not report them, and the manifest does not set
 * them. Service §4.4.
 */
export function listEmptiedFields({ actions }: Pick<Plan, 'actions'>): readonly JsonPointer[] {
  return actions.flatMap(action => (action.change === 'update' ? (action.emptied ?? []) : []))
}
