import { createHash } from 'node:crypto'

/** What a parser found under one name: enough to compare two readings of 64 MiB, and nothing that needs escaping. */
export interface Value {
  readonly name: string
  readonly kind: 'text' | 'file'
  readonly size: number
  readonly sha256: string
}

/** A text is compared as its UTF-8 bytes. */
export function digested(name: string, kind: Value['kind'], data: string | Uint8Array): Value {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { name, kind, size: bytes.byteLength, sha256 }
}

/** How a reading differs from what was sent; `undefined` when it does not. Some parsers sort by kind or by name. */
export function difference(sent: readonly Value[], found: readonly Value[]): string | undefined {
  const [wanted, got] = [sent.map(inWords).toSorted(), found.map(inWords).toSorted()]
  const lost = wanted.filter(words => !got.includes(words))
  const added = got.filter(words => !wanted.includes(words))
  if (lost.length + added.length > 0)
    return `sent ${lost.join(', ') || 'less'}; read ${added.join(', ') || 'less'}`
  return wanted.length === got.length ? undefined : `sent ${wanted.length} values; read ${got.length}`
}

function inWords({ name, kind, size, sha256 }: Value): string {
  return `${kind} ${name} of ${size} bytes (${sha256.slice(0, 12)})`
}
