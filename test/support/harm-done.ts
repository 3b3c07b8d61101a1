import { canary } from './hostile-documents.js'
import { unprintable } from './hostile-texts.js'
import type { MeasuredRun } from './measured-run.js'

/** Most that a check may take, whatever it is given. */
export const mostMegabytes = 256

/** What a check of a hostile document did that it must not do; empty when it did no harm. */
export function harmDone(
  { status, stdout, stderr, peakMegabytes }: MeasuredRun,
  exitCode = 65,
): readonly string[] {
  return [
    ...(status === exitCode ? [] : [`ended with ${status}, not ${exitCode}`]),
    ...(peakMegabytes <= mostMegabytes ? [] : [`took ${Math.round(peakMegabytes)} MB`]),
    ...harmIn(stdout).map(harm => `${harm} on stdout`),
    ...harmIn(stderr).map(harm => `${harm} on stderr`),
  ]
}

/** What a text must not hold that people and CI systems read. */
export function harmIn(text: string): readonly string[] {
  const found = [
    ['a secret', text.includes(canary)],
    ['a stack trace', /^\s+at .+:\d+/m.test(text) || text.includes('internal error')],
    ['a control character', text.split('\n').some(line => unprintable.test(line))],
    ['a command for a CI system', /^\s*::|##\w*\[/m.test(text)],
  ] as const
  return found.filter(([, isThere]) => isThere).map(([harm]) => harm)
}
