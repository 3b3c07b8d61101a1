import { canary } from './hostile-documents.js'
import { unprintable } from './hostile-texts.js'
import type { MeasuredRun } from './measured-run.js'

/** The highest peak of memory that a check may reach, whatever its input. */
export const mostMegabytes = 256

/** Lists violations in a check of a hostile document, such as a wrong exit code or a secret in the output. */
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

/** Lists the parts of a text that must not reach people or CI systems. */
export function harmIn(text: string): readonly string[] {
  const found = [
    ['a secret', text.includes(canary)],
    ['a stack trace', /^\s+at .+:\d+/m.test(text) || text.includes('internal error')],
    ['a control character', text.split('\n').some(line => unprintable.test(line))],
    ['a command for a CI system', /^\s*::|##\w*\[/m.test(text)],
  ] as const
  return found.filter(([, isThere]) => isThere).map(([harm]) => harm)
}
