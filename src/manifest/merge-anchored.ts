import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { formatIndices, type JsonPointer, readLastSegment, splitPointer } from '../diagnostics/pointer.js'
import { formatAll, quote } from '../diagnostics/words.js'
import type { EffectiveManifest } from './effective.js'

interface Repeated {
  /** The diagnostic at the anchor or, if only aliases are wrong, at the first of them. */
  first: Diagnostic
  isAtAnchor: boolean
  /** The pointers of all that use the value. */
  readonly users: JsonPointer[]
}

/** Merges diagnostics that aliases repeat: a mistake behind an anchor is one, and names everything that uses it. */
export function mergeAnchored(
  { findOrigin }: EffectiveManifest,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  const groups = new Map<unknown, Repeated>()
  for (const diagnostic of diagnostics) {
    const { document, pointer } = findOrigin(diagnostic.pointer)
    const use = document.findAnchor(pointer)
    if (use === undefined) {
      groups.set(diagnostic, { first: diagnostic, isAtAnchor: true, users: [] })
      continue
    }
    const name = readLastSegment(use.user)
    // A message that differs in more than the user of the value is another mistake.
    const message = diagnostic.message.replace(quote(name), '')
    const key = JSON.stringify([diagnostic.code, diagnostic.place?.file, use.pointer, message])
    const isAtAnchor = use.pointer === pointer
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { first: diagnostic, isAtAnchor, users: [use.user] })
    else {
      known.users.push(use.user)
      if (isAtAnchor && !known.isAtAnchor) Object.assign(known, { first: diagnostic, isAtAnchor })
    }
  }
  return [...groups.values()].map(({ first, users }) =>
    users.length < 2
      ? first
      : { ...first, message: `${first.message}; this value is used by ${formatAll(distinctNames(users))}` },
  )
}

/** Names fields by their last segments, as many as it takes to tell them apart. */
function distinctNames(pointers: readonly JsonPointer[], length = 1): readonly string[] {
  const paths = pointers.map(splitPointer)
  const names = paths.map(path => formatIndices(path.slice(-length).join('.')))
  const isEnough = new Set(names).size === names.length || paths.every(path => path.length <= length)
  return isEnough ? names : distinctNames(pointers, length + 1)
}
