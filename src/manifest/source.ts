/** One file of the user: its name as the user gave it, and its bytes as they are on disk. */
export interface Source {
  readonly name: string
  readonly bytes: Uint8Array
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Decodes a source without its byte order mark; `undefined` if it is not UTF-8 or contains a NUL. */
export function decodeText(source: Source): string | undefined {
  try {
    const text = decoder.decode(source.bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
