import type { Place } from '../../diagnostics/place.js'
import type { Why } from '../../plan/drift/why.js'

/** The machine form of what is behind a value; its schema is `schemas/why.schema.json`. */
export function whyDocument({ origin, members, ...why }: Why) {
  return {
    formatVersion: 1,
    ...why,
    origin: { ...origin, layers: origin.layers.map(at) },
    members: members.map(at),
  } as const
}

/** A place as people name it: where it begins. */
function at<T extends Place>({ start, end: _, ...rest }: T) {
  return { ...rest, ...start }
}
