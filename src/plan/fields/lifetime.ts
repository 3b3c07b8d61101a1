import type { EditKind, OtherOperation } from '../../contract/field-row.js'
import { fields } from '../../contract/fields.js'
import { findFieldAround } from '../../schema/parameter-paths.js'
import { isBelow, type JsonPointer, readLastSegment, splitPointer } from '../../schema/pointer.js'
import type { ImmutablePart } from '../generated/plan.js'
import type { FieldChange, ImmutableEdit, Plan } from '../plan.js'

export type { ImmutablePart } from '../generated/plan.js'

/** Returns how a field can be changed once the organization exists, from its row in the contract. Service §4.3, §4.4. */
export function findLaterChange(pointer: JsonPointer): ImmutableEdit['because'] | 'update' {
  if (findFieldAround(pointer)?.later === 'update') return 'update'
  return listOtherOperations(pointer).length > 0 ? 'another-operation' : 'no-operation'
}

/** Lists the operations of the service that change a field or a part of it. Landform performs none of them. */
export function listOtherOperations(pointer: JsonPointer): readonly OtherOperation[] {
  const around = findFieldAround(pointer)
  const rows = around === undefined ? fields.filter(field => isBelow(field.pointer, pointer)) : [around]
  const found = rows.flatMap(({ pointer: own, later }) =>
    (later === 'update' ? [] : later.changedBy).filter(({ parts = [''], edits }) =>
      edits?.length === 0 ? isBelow(own, pointer) : parts.some(part => overlaps(pointer, own + part)),
    ),
  )
  return [...new Set(found)]
}

/** Finds the operation of the service that can carry out an edit. */
export function findOtherOperation({
  pointer,
  before,
  after,
}: Pick<FieldChange, 'pointer' | 'before' | 'after'>): OtherOperation | undefined {
  const kind: EditKind = before === undefined ? 'addition' : after === undefined ? 'removal' : 'change'
  return listOtherOperations(pointer).find(({ edits }) => edits?.includes(kind) ?? true)
}

/** Tests whether one place is at or below the other; `*` matches any member. */
function overlaps(pointer: JsonPointer, pattern: string): boolean {
  const names = splitPointer(pointer)
  const wanted = splitPointer(pattern as JsonPointer).slice(0, names.length)
  return wanted.every((name, index) => name === '*' || name === names[index])
}

// The order in reports; new parts come last.
const first = ['administrator', 'license', 'volumes', 'cloudStorage', 'profile', 'dataStores', 'folders']

const parts = new Map<JsonPointer, string>(
  fields.flatMap(({ pointer, later }) =>
    later !== 'update' && later.immutable !== undefined
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
  // Without a profile in the manifest, the service uses its default, which is immutable as well.
  const hasDefault = !isNamed('/spec/deploymentProfiles')
  const isSet = (pointer: JsonPointer) => isNamed(pointer) || (pointer === '/spec/profile' && hasDefault)
  return immutableParts.filter(({ pointer }) => isSet(pointer))
}

/**
 * Lists the fields that an update may silently empty: the site does not report them, and the manifest does not set them.
 * Service §4.4.
 */
export function listEmptiedFields({ actions }: Pick<Plan, 'actions'>): readonly JsonPointer[] {
  return actions.flatMap(action => (action.change === 'update' ? (action.emptied ?? []) : []))
}
