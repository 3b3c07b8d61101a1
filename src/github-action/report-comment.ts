import { createHash } from 'node:crypto'
import type { Inputs } from './inputs.js'
import type { StickyComment } from './sticky-comment.js'

/** The result of a step for a pull request. */
export interface StepReport {
  readonly inputs: Inputs
  /** The output of the program, with a hidden first line that is the same for every report of one site. */
  readonly markdown: string | undefined
  readonly exitCode: number
  /** False if the report says that there is nothing to do. */
  readonly isNews: boolean
  /** Address of the run. */
  readonly run: string
  /** Commit of the pull request. */
  readonly head: string
}

/**
 * Builds the texts of a comment. Without a new report an existing comment is replaced by a notice, so that an earlier
 * plan is not mistaken for the plan of a newer commit.
 */
export function buildReportComment(report: StepReport): Pick<StickyComment, 'isOurs' | 'written'> {
  const { inputs, markdown, exitCode, isNews, run, head } = report
  const step = formatStepMarker(inputs)
  const seen = `<sub>Commit ${head.slice(0, 12)}, [run](${run})</sub>`
  const first = markdown === undefined ? undefined : firstLine(markdown)
  return {
    isOurs: body =>
      first === undefined
        ? firstLine(body).startsWith(`<!-- landform-${inputs.command}: `) && body.trimEnd().endsWith(step)
        : firstLine(body) === first,
    written(earlier) {
      if (markdown !== undefined)
        return isNews || earlier !== undefined ? `${markdown.trimEnd()}\n\n${seen}\n\n${step}\n` : undefined
      if (earlier === undefined) return undefined
      const failed = `### No ${inputs.command}: exit code ${exitCode}\n\nThe earlier report is outdated. See the run for the error.`
      return `${firstLine(earlier)}\n\n${failed}\n\n${seen}\n\n${step}\n`
    },
  }
}

/** Identifies the step within its repository, so that a failed step finds its own comment. */
function formatStepMarker({ command, files, args, workingDirectory }: Inputs): string {
  const digest = createHash('sha256').update(JSON.stringify([command, files, args, workingDirectory]))
  return `<!-- landform-step: ${digest.digest('hex').slice(0, 16)} -->`
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? ''
}
