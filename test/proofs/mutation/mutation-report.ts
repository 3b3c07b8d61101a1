/** The fields that are read from a report in the mutation testing report schema. */
export interface MutationReport {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Made[] }>>
}

interface Made {
  readonly status: string
  readonly replacement?: string
  readonly location: { readonly start: Point; readonly end: Point }
}

interface Point {
  readonly line: number
  readonly column: number
}

export interface MutationScore {
  readonly mutants: number
  readonly killed: number
  /** In percent. */
  readonly score: number
  /** The mutants that no test detected: position, original and replacement. */
  readonly survivors: readonly string[]
}

const countsNot = ['CompileError', 'RuntimeError', 'Ignored', 'Pending']
const isKilled = ({ status }: Made) => status === 'Killed' || status === 'Timeout'

/** Computes the score of a report. A mutant without coverage counts as survived. */
export function mutationScore({ files }: MutationReport): MutationScore {
  const all = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants
      .filter(({ status }) => !countsNot.includes(status))
      .map(mutant => ({ mutant, shown: shownIn(file, source, mutant) })),
  )
  const killed = all.filter(({ mutant }) => isKilled(mutant)).length
  return {
    mutants: all.length,
    killed,
    score: all.length === 0 ? 0 : (killed / all.length) * 100,
    survivors: all.filter(({ mutant }) => !isKilled(mutant)).map(({ shown }) => shown),
  }
}

function shownIn(file: string, source: string, { location: { start, end }, replacement = '' }: Made): string {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  const last = lines.length - 1
  const text = lines
    .map((line, at) => line.slice(at === 0 ? start.column - 1 : 0, at === last ? end.column - 1 : undefined))
    .join(' ')
  const short = (one: string) => one.replaceAll(/\s+/g, ' ').slice(0, 80)
  return `${file}:${start.line}: ${short(text)} -> ${short(replacement)}`
}
