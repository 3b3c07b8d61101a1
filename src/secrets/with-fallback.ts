import type { SecretSource } from './secret-source.js'

/** The same source, but a file that is missing is taken from another one. */
export function withFallback(source: SecretSource, other: SecretSource): SecretSource {
  return {
    ...source,
    async file(...wanted) {
      const own = await source.file(...wanted)
      return own.kind === 'missing' ? other.file(...wanted) : own
    },
    async digest(at, maxBytes) {
      const own = await source.digest(at, maxBytes)
      return own.kind === 'missing' ? other.digest(at, maxBytes) : own
    },
  }
}
