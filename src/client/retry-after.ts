const bounds = { leastMs: 1_000, mostMs: 5 * 60_000 } as const

/**
 * How long an answer asks to be left alone: seconds or a date (RFC 9110 §10.2.3), between one second and five minutes.
 * A date counts from the date of the answer, so that the clock of this machine does not matter where that is there.
 */
export function retryAfterMs(value: string | undefined, answeredAt: string | undefined): number | undefined {
  const text = value?.trim() ?? ''
  const askedMs = /^\d+$/.test(text) ? Number(text) * 1_000 : untilMs(text, answeredAt)
  return Number.isNaN(askedMs) ? undefined : Math.min(Math.max(askedMs, bounds.leastMs), bounds.mostMs)
}

function untilMs(text: string, answeredAt: string | undefined): number {
  const from = httpDate(answeredAt ?? '')
  return httpDate(text) - (Number.isNaN(from) ? Date.now() : from)
}

/** Only what looks like a date of HTTP: `Date.parse` takes nearly anything for one. */
function httpDate(text: string): number {
  return /^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/.test(text) ? Date.parse(text) : Number.NaN
}
