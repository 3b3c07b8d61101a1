import { type JsonPointer, splitPointer } from '../schema/pointer.js'

export {
  appendSegment,
  isBelow,
  type JsonPointer,
  readLastSegment,
  readParent,
  splitPointer,
} from '../schema/pointer.js'

/** Formats a pointer as a path: `spec.volumes.BLOB.size`, `spec.cloudStorage[0].name`. */
export function formatDotted(pointer: JsonPointer): string {
  return formatIndices(splitPointer(pointer).join('.'))
}

/** Formats the indices of a path with dots only. */
export function formatIndices(path: string): string {
  return path.replaceAll(/(?:^|\.)(\d+)(?=\.|$)/g, '[$1]')
}
