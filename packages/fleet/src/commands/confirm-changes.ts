import { type ColorChoice, confirm, type Failure, type Host, paintFor, type ReportTarget } from 'landform/cli'
import { formatNumber } from 'landform/report'

interface ChangeReview {
  /** Number of affected sites. */
  readonly count: number
  /** Such as `Submit`. */
  readonly question: string
  /** Such as `submitted`. */
  readonly done: string
  readonly targets: readonly ReportTarget<string>[]
  /** Formats the changes for people. */
  text(paint: ReturnType<typeof paintFor>): string
}

interface ConfirmOptions {
  readonly yes: boolean
  readonly 'no-input': boolean
  readonly color: ColorChoice
}

/** Shows the changes and asks for confirmation once. Returns the failure if it was not given. */
export async function confirmChanges(
  { count, question, done, targets, text }: ChangeReview,
  { color, ...choices }: ConfirmOptions,
  host: Host,
): Promise<Failure | undefined> {
  const toStdout = targets.some(({ format, file }) => format === 'text' && file === undefined)
  if (toStdout) host.stdout.print(text(paintFor('stdout', color)))
  // A question needs the list of changes.
  else if (host.isInteractive) host.stderr.print(text(paintFor('stderr', color)))
  if (count === 0) return undefined
  const sites = formatNumber(count, 'site')
  return confirm(host, choices, {
    question: `${question} ${sites}?`,
    purpose: ` to ${question.toLowerCase()} ${sites}`,
    without: `; nothing was ${done}`,
    review: 'review the list',
    prefix: `not ${done}: `,
  })
}
