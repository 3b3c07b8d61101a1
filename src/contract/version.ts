/** A service version as people write it: two or three numbers with dots, e.g. `11.2` or `10.9.1`. */
export type ServiceVersion = `${number}.${number}` | `${number}.${number}.${number}`

const shape = /^(?:0|[1-9]\d{0,4})(?:\.(?:0|[1-9]\d{0,4})){1,2}$/

/** Reads a version; `undefined` when the text has another shape. A missing third number counts as 0. */
export function parseVersion(text: string): ServiceVersion | undefined {
  return shape.test(text) ? (text as ServiceVersion) : undefined
}

/** Negative when `a` is older than `b`, 0 when they are the same release, positive when it is newer. */
export function compareVersions(a: ServiceVersion, b: ServiceVersion): number {
  const [left, right] = [numbers(a), numbers(b)]
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2]
}

/** True when something introduced in `since` exists in `version`. */
export function includes(version: ServiceVersion, since: ServiceVersion): boolean {
  return compareVersions(version, since) >= 0
}

/** The three numbers of a version, the third 0 where it is not written. */
export function numbers(version: ServiceVersion): [number, number, number] {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return [major, minor, patch]
}

/** True where two texts are one version: `11.2` and `11.2.0` are. Texts that are no numbers with dots have to be the same. */
export function isSameVersion(one: string, other: string): boolean {
  return one === other || comparable(one) === comparable(other)
}

/** True where a version is the other one with numbers left out at its end, as `11.3` is `11.3.0.5814`. */
export function isRoundedFrom(rounded: string, exact: string): boolean {
  return isSameVersion(rounded, exact) || (dotted.test(rounded) && exact.startsWith(`${rounded}.`))
}

const dotted = /^\d{1,9}(?:\.\d{1,9}){0,9}$/

/** A text that is the same for the same version: without zeros before a number, or numbers of 0 at the end. */
function comparable(text: string): string {
  if (!dotted.test(text)) return text
  const parts = text.split('.').map(Number)
  return parts.slice(0, parts.findLastIndex(part => part !== 0) + 1).join('.')
}
