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
