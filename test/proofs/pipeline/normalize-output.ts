/** What differs from run to run, and what a reader sees in its place. */
const settling: readonly (readonly [RegExp, string])[] = [
  [/127\.0\.0\.1_\d+-[0-9a-f]+/g, '127.0.0.1_8080-…'],
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:8080'],
  [/sha256:[0-9a-f]{12,64}…?/g, 'sha256:…'],
  [/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/\b20\d\d-\d\d-\d\d\b/g, 'DATE'],
  [/\b[0-9a-f]{24}\b/g, 'NONCE'],
  [/\bprocess \d+\b/g, 'process 4711'],
  [/\[\+\d\d:\d\d\]/g, '[+00:00]'],
  [/\bafter \d+s\b/g, 'after 2s'],
]

/** A text without what is new in each run. */
export function normalizeOutput(text: string): string {
  return settling.reduce((now, [from, to]) => now.replaceAll(from, to), text)
}

/** The lines that a reader needs; `…` stands where there are more. */
export function shortened(text: string, keep: readonly RegExp[] | undefined): string {
  if (keep === undefined) return text
  const lines = text.trimEnd().split('\n')
  const kept = lines.map(line => (keep.some(one => one.test(line)) ? line : '…'))
  return kept.filter((line, at) => line !== '…' || kept[at - 1] !== '…').join('\n')
}
