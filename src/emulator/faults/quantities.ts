/** A duration such as `500ms`, `90s`, `10m` or `3h`, as a pattern. */
export const time = String.raw`\d{1,9}(?:ms|s|m|h)`
/** A size such as `200`, `64KiB` or `8MiB`, as a pattern. */
export const size = String.raw`\d{1,9}(?:KiB|MiB|GiB)?`

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
const unitsBytes: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }

/** The milliseconds of what has the form of a time, with a sign or without. */
export function milliseconds(text: string): number {
  return Number.parseInt(text, 10) * (unitsMs[text.replace(/^[-+]?\d+/, '')] ?? 1)
}

/** The bytes of what has the form of a size. */
export function bytes(text: string): number {
  return Number.parseInt(text, 10) * (unitsBytes[text.replace(/^\d+/, '')] ?? 1)
}
