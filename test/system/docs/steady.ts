import { joinLines } from '../../support/join-lines.js'

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
  const pattern = wanted
    .map(piece => joinLines(piece).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('[\\s\\S]*')
  return new RegExp(`^${pattern.replaceAll('\n[\\s\\S]*', '\\n?[\\s\\S]*')}$`).test(
    joinLines(steady(printed)),
  )
}

function steady(text: string): string {
  return fickle.reduce((so, [what, word]) => so.replaceAll(what, word), text.trimEnd())
}

/**
 * Makes what a page shows next time from what is printed now, with lines left out where they were. A line that has changed
 * is found again by its beginning; one that is wrapped now keeps its rest.
 */
export function renewed(shown: string, printed: string): string {
  const loose = (line: string) => steady(line).replaceAll(/\d+/g, 'N')
  const lines = printed.trimEnd().split('\n')
  const text: string[] = []
  let next = 0
  let isGap = false
  const goOnTo = (end: number) => {
    if (isGap && end > next) text.push('…')
    else text.push(...lines.slice(next, end))
    isGap = false
    next = end
  }
  for (const line of shown.split('\n')) {
    const find = (isSame: (now: string) => boolean) =>
      lines.findIndex((now, index) => index >= next && isSame(loose(now)))
    const exact = find(now => now === loose(line))
    const start = loose(line).slice(0, startLength)
    const at = exact < 0 && start.length === startLength ? find(now => now.startsWith(start)) : exact
    if (line.trim() === '…') isGap = true
    else if (at >= 0) {
      goOnTo(at)
      text.push(lines[at] ?? '')
      next = at + 1
    }
  }
  goOnTo(lines.length)
  return text.join('\n')
}

const startLength = 16
