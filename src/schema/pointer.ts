/** A place in a JSON value, RFC 6901: empty for the whole value, otherwise `/` before each escaped segment. */
export type JsonPointer = '' | `/${string}`

/** Returns the pointer of a member or element. */
export function appendSegment(parent: JsonPointer, key: string | number): JsonPointer {
  const name = String(key)
  // Hot path: few names have a character to escape.
  const isPlain = !name.includes('~') && !name.includes('/')
  return `${parent}/${isPlain ? name : name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Splits a pointer into its unescaped segments. */
export function splitPointer(pointer: JsonPointer): readonly string[] {
  return pointer.split('/').slice(1).map(unescapeSegment)
}

/** Returns the last segment of a pointer, unescaped; `manifest` for the whole value. */
export function readLastSegment(pointer: JsonPointer): string {
  return pointer === '' ? 'manifest' : unescapeSegment(pointer.slice(pointer.lastIndexOf('/') + 1))
}

/** Returns the pointer of the map or list that contains a member or element. */
export function readParent(pointer: JsonPointer): JsonPointer {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/'))) as JsonPointer
}

/** True if `pointer` is `owner` or a place inside it. */
export function isBelow(pointer: JsonPointer, owner: JsonPointer): boolean {
  return pointer === owner || pointer.startsWith(`${owner}/`)
}

/** Formats a pointer as a path: `spec.volumes.BLOB.size`, `spec.cloudStorage[0].name`. */
export function formatDotted(pointer: JsonPointer): string {
  return formatIndices(splitPointer(pointer).join('.'))
}

/** Formats the indices of a path with dots, such as `cloudStorage.0.name`. */
export function formatIndices(path: string): string {
  return path.replaceAll(/(?:^|\.)(\d+)(?=\.|$)/g, '[$1]')
}

function unescapeSegment(segment: string): string {
  return segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment
}
