import { randomUUID } from 'node:crypto'

/** Formats a workflow command that GitHub shows as an annotation. */
export function formatAnnotation(level: 'notice' | 'warning' | 'error', text: string): string {
  const inert = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  return `::${level} title=landform::${inert}\n`
}

/** Formats outputs for the file in `GITHUB_OUTPUT`, with a delimiter that no value can contain. */
export function formatOutputs(outputs: Readonly<Record<string, string>>): string {
  return Object.entries(outputs)
    .map(([name, value]) => {
      const end = `end-${randomUUID()}`
      return `${name}<<${end}\n${value}\n${end}\n`
    })
    .join('')
}

/** Parses lines `name=value`, the only form that the program writes. */
export function parseOutputs(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter(line => line.includes('='))
  return Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}
