import { type ServiceVersion, splitVersion } from '../contract/versions.js'

/** The pattern of any version: two or three numbers with dots. */
export const anyVersion = '^(0|[1-9][0-9]{0,4})([.](0|[1-9][0-9]{0,4})){1,2}$'

/** Builds a pattern that matches exactly the versions before `limit`, because schemas cannot compare. */
export function buildPatternBefore(limit: ServiceVersion): string {
  const [major, minor, patch] = splitVersion(limit)
  const rest = '([.][0-9]+)'
  const cases = [
    ...(major > 0 ? [`${buildPatternBelow(major)}${rest}{1,2}`] : []),
    ...(minor > 0 ? [`${major}[.]${buildPatternBelow(minor)}${rest}?`] : []),
    ...(patch > 0 ? [`${major}[.]${minor}([.]${buildPatternBelow(patch)})?`] : []),
  ]
  return `^(${cases.join('|')})$`
}

function buildPatternBelow(limit: number): string {
  return `(${Array.from({ length: limit }, (_, value) => value).join('|')})`
}
