/** What differs from one run to the next, and stands in pages as it was when they were written. */
const fickle: readonly (readonly [RegExp, string])[] = [
  [/127\.0\.0\.1([:_])\d+/g, '127.0.0.1$1PORT'],
  [/PORT\/[0-9a-f]{8,}\b/g, 'PORT/BASE'],
  [/sha256:[0-9a-f]{6,}/g, 'sha256:DIGEST'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UUID'],
  [/\b\d{8}-[0-9a-f]{6}\b/g, 'ROLLOUT'],
  [/\b[0-9a-f]{7,64}\b/g, 'HEX'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?: ?UTC|Z)?)?/g, 'TIME'],
  [/\[\+\d\d:\d\d(?::\d\d)?\]/g, '[+TIME]'],
  [/\b(?:\d+ ?(?:ms|min|h|m|s) ?)+(?=\W|$)/g, 'SPAN '],
  [/\bprocess \d+ on [\w.-]+/g, 'process N on HOST'],
  [/[ \t]+$/gm, ''],
]

/** True where a run printed what the page shows; a line `…` of the page stands for any lines. */
export function agrees(shown: string, printed: string): boolean {
  const wanted = steady(shown).split(/^ *…$/m)
  const pattern = wanted.map(piece => piece.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('[\\s\\S]*')
  return new RegExp(`^${pattern.replaceAll('\n[\\s\\S]*', '\\n?[\\s\\S]*')}$`).test(steady(printed))
}

function steady(text: string): string {
  return fickle.reduce((so, [what, word]) => so.replaceAll(what, word), text.trimEnd())
}

/** What a page shows next time: what is printed now, with lines left out where they were, if that is still possible. */
export function renewed(shown: string, printed: string): string {
  const loose = (line: string) => steady(line).replaceAll(/\d+/g, 'N')
  const lines = printed.trimEnd().split('\n')
  let next = 0
  const kept = shown.split('\n').map(line => {
    if (line.trim() === '…') return line
    const at = lines.findIndex((each, index) => index >= next && loose(each) === loose(line))
    next = at < 0 ? lines.length : at + 1
    return lines[at] ?? ''
  })
  const text = kept.join('\n')
  return agrees(text, printed) ? text : printed.trimEnd()
}
