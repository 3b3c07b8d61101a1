import type { Told } from './story.js'

const preface = `\
<!-- Generated from test/proofs/pipeline/ by its test. Do not edit. -->

# A pipeline: from the first pull request to failures

This page is the record of a simulated pipeline, with real git repositories, real processes and the emulator instead of a site.
It begins with a manifest that has mistakes, and continues with a runner that dies, a stale plan and a site that somebody
changed by hand. Each command is shown with its output and exit code. \`…\` replaces omitted lines and digests; \`TIME\` and \`NONCE\`
replace what differs in each run. \`npm run verify -- pipeline --full\` in a checkout of Landform repeats it on your machine.
`

/** The story as a page of the documentation. */
export function page(told: readonly Told[]): string {
  return `${preface}\n${told.map(part).filter(Boolean).join('\n')}`
}

function part(piece: Told): string {
  switch (piece.kind) {
    case 'title':
      return `## ${piece.text}\n`
    case 'prose':
      return `${piece.text}\n`
    case 'session': {
      const { where, command, output, ending } = piece
      const said = output === '' ? '' : `${output}\n`
      return `\`\`\`text\n${prompted(where, command)}\n${said}[${ending}]\n\`\`\`\n`
    }
    case 'shown':
      return `\`\`\`${piece.language}\n${piece.text}\n\`\`\`\n`
    case 'check':
      return ''
    default:
      return piece satisfies never
  }
}

/** Commands as they are typed: one that goes on in the next line is one. */
export function prompted(where: string, command: string): string {
  return command.replaceAll(/(?<!\\\n)^/gm, `${where}$ `)
}
