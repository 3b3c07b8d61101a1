import type { EndState } from '../../plan/run-state.js'
import type { CommandFailure } from '../command-failure.js'
import { type ExitCode, type ExitName, exitCodeRows } from '../exit-code.js'
import { addSent, type Sent } from '../sent.js'

/** The possible next commands, with the options of this one. */
export interface NextCommands {
  readonly apply: string
  readonly plan: string
  /** Records what a person asserts about the site. */
  readonly adopt: string
  /** Saves a signed plan. */
  readonly sign: string
  readonly status: string
  /** Shows the stored state of the site. */
  readonly show: string
  discardIntent(nonce: string): string
  unlock(nonce: string): string
  /** Moves the state to another address of the site. */
  move(from: string, to: string): string
}

/** The ending of a command. */
export interface Ending<R = NextCommands> {
  /** One sentence; `describeEnd` adds what was sent. */
  readonly say: string
  readonly sent: Sent
  readonly exit: ExitName
  readonly exitCode: ExitCode
  /** The state in which the command leaves its site. */
  readonly end: EndState
  /** Suggests the next steps with their exact commands. */
  readonly next: (run: R) => readonly string[]
}

/** The reason for a failure, as a clause of an ending. It contains no words about what was sent. */
export interface FailureCause<A> {
  readonly say: string
  readonly exit: ExitName
  /** Suggests what to do about it; `undefined` leaves that to the ending. */
  readonly fix: (around: A) => readonly string[] | undefined
}

interface Kinded {
  readonly kind: string
}

/** A value, or a function of the facts. */
type Of<V, F> = V | ((facts: F) => V)

interface CauseCells<F, A> {
  /**
   * The line in the reference of exit codes, or one per code. Default: a constant `say`; otherwise another ending has
   * the line.
   */
  readonly title?: string | Readonly<Partial<Record<ExitName, string>>>
  readonly say: Of<string, F>
  readonly exit: Of<ExitName, F>
  readonly fix?: (facts: F, around: A) => string | readonly string[] | undefined
}

interface Cells<F, R> extends Omit<CauseCells<F, R>, 'fix'> {
  /** Default: `nothing`. */
  readonly sent?: Of<Sent, F>
  /** Default: the state that belongs to the exit code. */
  readonly end?: Of<EndState | undefined, F>
  readonly next?: (facts: F, run: R) => string | readonly string[]
}

/** A row, or a function that returns the ending of a wrapped value. */
type Row<F, R> = Cells<F, R> | ((facts: F) => Ending<R>)

/** A title of an ending, with its exit code. */
type Title = readonly [exit: string, title: string]

/** A table with its lines on the page of exit codes. */
export interface Titled {
  readonly titles: readonly Title[]
}

/** Builds a function that returns the ending for its facts, from the row of their kind. */
export function endings<U extends Kinded, R = NextCommands>(
  rows: { readonly [K in U['kind']]: Row<U & { readonly kind: K }, R> },
): ((facts: U) => Ending<R>) & Titled {
  const end = (facts: U): Ending<R> => {
    // A row takes only facts of its kind; the compiler cannot infer that from a table.
    const row = rows[facts.kind as U['kind']] as Row<U, R>
    if (typeof row === 'function') return row(facts)
    const { say, sent = 'nothing', exit, end, next } = row
    const name = read(exit, facts)
    return {
      say: read(say, facts),
      sent: read(sent, facts),
      exit: name,
      exitCode: exitCodeRows[name].code,
      end: read(end, facts) ?? exitCodeRows[name].end,
      next: run => [next?.(facts, run) ?? []].flat(),
    }
  }
  return Object.assign(end, { titles: listTitles(rows) })
}

/** Builds a function that returns the cause of a failure, from the row of its kind. */
export function causes<U extends Kinded, A>(
  rows: { readonly [K in U['kind']]: CauseCells<U & { readonly kind: K }, A> },
): ((facts: U) => FailureCause<A>) & Titled {
  const explain = (facts: U): FailureCause<A> => {
    const { say, exit, fix } = rows[facts.kind as U['kind']] as CauseCells<U, A>
    return {
      say: read(say, facts),
      exit: read(exit, facts),
      fix(around) {
        const steps = fix?.(facts, around)
        return steps === undefined ? undefined : [steps].flat()
      },
    }
  }
  return Object.assign(explain, { titles: listTitles(rows) })
}

function read<V, F>(cell: Of<V, F>, facts: F): V {
  return typeof cell === 'function' ? (cell as (facts: F) => V)(facts) : cell
}

/** Builds the ending of a command that failed before it sent anything. */
export function endOfCause<A>({ fix, ...cause }: FailureCause<A>): Ending<A> {
  const { code: exitCode, end } = exitCodeRows[cause.exit]
  return { ...cause, sent: 'nothing', exitCode, end, next: around => fix(around) ?? [] }
}

/** Describes an ending in one sentence, with what was sent. */
export function describeEnd({ say, sent }: Ending<never>): string {
  return addSent(say, sent)
}

/** Builds the failure that a command prints for an ending. */
export function buildFailure<R>({ say: message, exitCode, next }: Ending<R>, run: R): CommandFailure {
  return { exitCode, message, next: next(run) }
}

function listTitles(rows: Readonly<Record<string, Row<never, never>>>): readonly Title[] {
  return Object.values(rows).flatMap((row): readonly Title[] => {
    if (typeof row === 'function') return []
    const { say, exit, title = say } = row
    if (typeof title === 'object') return Object.entries(title)
    return typeof title === 'string' && typeof exit === 'string' ? [[exit, title]] : []
  })
}
