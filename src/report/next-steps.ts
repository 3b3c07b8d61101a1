import { type Paint, plain } from './terminal.js'

/** The next steps as a person reads them: each line of `next` is one, and several are a numbered list. */
export function formatNext(next: string, paint: Paint = plain): string {
  const title = paint('cyan', 'next')
  const steps = next.split('\n')
  if (steps.length === 1) return `${title}: ${next}\n`
  return `${title}:\n${steps.map((step, at) => `  ${at + 1}. ${step}\n`).join('')}`
}
