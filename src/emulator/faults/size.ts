/** A size such as `200`, `64KiB` or `8MiB`, as a pattern. */
export const sizePattern = String.raw`\d{1,9}(?:KiB|MiB|GiB)?`

const unitsBytes: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }

/** Parses a text that matches `size` into bytes. */
export function parseSize(text: string): number {
  return Number.parseInt(text, 10) * (unitsBytes[text.replace(/^\d+/, '')] ?? 1)
}
