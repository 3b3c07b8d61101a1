import type { DeleteOutcome, ExportOutcome } from '../../operations/outcome.js'
import type { Site } from './open-site.js'
import { versionHint } from './version-gate.js'

/** What the words after a one-shot operation are made from. */
export interface Ways {
  readonly site: Site
  readonly look: string
  readonly again: string
}

/** What to do after an export, with the exact command. */
export function afterExport(outcome: ExportOutcome, { site, look, again }: Ways): string {
  switch (outcome.kind) {
    case 'done':
      return ''
    case 'warned':
      return 'read the warnings; with --allow-warnings such an export is a success'
    case 'unknown':
      return `${look}; it may still be written. If none appears, run \`${again}\``
    case 'references':
      return `provide what is missing, then run \`${again}\``
    case 'interrupted':
      return `run \`${again}\` to try again`
    case 'not-taken':
      return `mend the cause, then run \`${again}\`${refusalHints(outcome, site)}`
    default:
      return outcome satisfies never
  }
}

/** Where the operation is not there, it may be somewhere else. */
function refusalHints({ failure }: ExportOutcome & { kind: 'not-taken' }, site: Site): string {
  if (failure.kind !== 'refused') return ''
  const absent = failure.status === 404 || failure.code === 404
  const elsewhere = absent
    ? '; public sources have exportSite at a base URL of its own, which --url can name'
    : ''
  return versionHint(site, 'exportSite') + elsewhere
}

/** What to do after a deletion, with the exact command; it names no confirmation, for a person has to look first. */
export function afterDeletion(outcome: DeleteOutcome, { site, look, again }: Ways): string {
  switch (outcome.kind) {
    case 'done':
      return ''
    case 'unknown':
      return `${look}; \`${again}\` shows on a terminal what the site says of them before it asks. A second deletion would delete new ones, too`
    case 'references':
      return `provide what is missing, then run \`${again}\``
    case 'interrupted':
      return `run \`${again}\` to try again`
    case 'not-taken': {
      const hint = outcome.failure.kind === 'refused' ? versionHint(site, 'deleteAll') : ''
      return `mend the cause, then run \`${again}\`${hint}`
    }
    default:
      return outcome satisfies never
  }
}
