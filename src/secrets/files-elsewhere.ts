import type { SecretSource } from './secret-source.js'

/** The same source, but a file that is missing is taken from another one. */
export function orElse(source: SecretSource, other: SecretSource): SecretSource {
  return {
    ...source,
    async file(at, mostBytes) {
      const own = await source.file(at, mostBytes)
      return own.kind === 'missing' ? other.file(at, mostBytes) : own
    },
    async digest(at, mostBytes) {
      const own = await source.digest(at, mostBytes)
      return own.kind === 'missing' ? other.digest(at, mostBytes) : own
    },
  }
}
