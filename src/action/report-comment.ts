import { createHash } from 'node:crypto'
import type { Inputs } from './inputs.js'
import type { StickyComment } from './sticky-comment.js'

/** What a step has to tell a pull request. */
export interface Report {
  readonly inputs: Inputs
  /** What the program wrote, with a hidden first line that is the same for every report of one site. */
  readonly markdown: string | undefined
  readonly exitCode: number
  /** False where the report says that there is nothing to do. */
  readonly isNews: boolean
  /** Address of the run. */
  readonly run: string
  /** Commit of the pull request. */
  readonly head: string
}

/**
 * The texts of a comment. Where no report could be made, one that is there already says so from now on: nobody is to
 * take an earlier plan for that of a newer commit.
 */
export function reportComment(report: Report): Pick<StickyComment, 'isOurs' | 'written'> {
  const { inputs, markdown, exitCode, isNews, run, head } = report
  const step = stepMarker(inputs)
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
      const failed = `### No ${inputs.command}: exit code ${exitCode}\n\nWhat stood here no longer counts. The run says what is wrong.`
      return `${firstLine(earlier)}\n\n${failed}\n\n${seen}\n\n${step}\n`
    },
  }
}

/** Tells the steps of a repository apart, so that a step which fails finds its own comment. */
function stepMarker({ command, files, args, workingDirectory }: Inputs): string {
  const digest = createHash('sha256').update(JSON.stringify([command, files, args, workingDirectory]))
  return `<!-- landform-step: ${digest.digest('hex').slice(0, 16)} -->`
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? ''
}
