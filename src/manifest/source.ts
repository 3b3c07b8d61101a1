/** One file of the user: its name as the user gave it, and its bytes as they are on disk. */
export interface Source {
  readonly name: string
  readonly bytes: Uint8Array
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** The text of a source without its byte order mark; `undefined` when it is not UTF-8 or holds a NUL. */
export function textOf(source: Source): string | undefined {
  try {
    const text = decoder.decode(source.bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
