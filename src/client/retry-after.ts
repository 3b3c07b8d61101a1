const bounds = { leastMs: 1_000, mostMs: 5 * 60_000 } as const

/**
 * Parses the pause that an answer asks for: seconds or a date (RFC 9110 §10.2.3), between one second and five minutes. A
 * date counts from the date of the answer, so that the clock of this machine does not matter if that is present.
 */
export function parseRetryAfter(
  value: string | undefined,
  answeredAtMs: number | undefined,
): number | undefined {
  const text = value?.trim() ?? ''
  const askedMs = /^\d+$/.test(text) ? Number(text) * 1_000 : computeUntilMs(text, answeredAtMs)
  return askedMs === undefined ? undefined : Math.min(Math.max(askedMs, bounds.leastMs), bounds.mostMs)
}

function computeUntilMs(text: string, from: number | undefined): number | undefined {
  const until = parseHttpDate(text)
  return until === undefined ? undefined : until - (from ?? Date.now())
}

/** A date of HTTP, in milliseconds since 1970. Only what looks like one: `Date.parse` takes nearly anything for a date. */
export function parseHttpDate(text: string): number | undefined {
  const ms = /^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}
