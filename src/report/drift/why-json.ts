import type { Place } from '../../diagnostics/place.js'
import type { FieldExplanation } from '../../plan/drift/why.js'

/** The machine form of the origin and use of a value; its schema is `schemas/why.schema.json`. */
export function whyDocument({ origin, members, ...why }: FieldExplanation) {
  return {
    formatVersion: 1,
    ...why,
    origin: { ...origin, layers: origin.layers.map(toStart) },
    members: members.map(toStart),
  } as const
}

/** Reduces a place to its start. */
function toStart<T extends Place>({ start, end: _, ...rest }: T) {
  return { ...rest, ...start }
}
