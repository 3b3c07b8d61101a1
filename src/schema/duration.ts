/** The pattern of a duration such as `500ms`, `90s`, `10m` or `3h`. */
export const durationPattern = '[0-9]{1,9}(?:ms|s|m|h)'

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Converts a duration to milliseconds, with or without a sign. */
export function parseDurationMs(text: string): number {
  return Number.parseInt(text, 10) * (unitsMs[text.replace(/^[-+]?\d+/, '')] ?? 1)
}
