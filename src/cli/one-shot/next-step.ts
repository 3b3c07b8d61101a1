import { operations } from '../../contract/operations.js'
import type { DeleteOutcome, ExportOutcome, OneShotFailure } from '../../operations/outcome.js'
import { suggestTlsRemedy } from '../../report/certificate-faults.js'
import { suggestAtSite } from '../site/failures.js'
import type { OneShotTarget } from './perform.js'

/** The parts of the next steps after a one-shot operation. */
export interface Ways {
  readonly site: OneShotTarget
  readonly look: string
  readonly again: string
}

/** The next step after an export, with the exact command. */
export function afterExport(outcome: ExportOutcome, ways: Ways): string {
  switch (outcome.kind) {
    case 'warned':
      return 'read the warnings; --allow-warnings treats such a result as a success'
    case 'unknown':
      return `${ways.look}; it may still be written. If none appears, run \`${ways.again}\`${elsewhere(outcome)}`
    case 'not-taken':
      return `${afterEither(outcome, ways, 'exportSite')}${elsewhere(outcome)}`
    default:
      return afterEither(outcome, ways, 'exportSite')
  }
}

/** The next step after a deletion, with the exact command but no confirmation: a person has to check first. */
export function afterDeletion(outcome: DeleteOutcome, ways: Ways): string {
  return outcome.kind === 'unknown'
    ? `${ways.look}; \`${ways.again}\` lists them on a terminal before it asks. A second deletion would also delete new ones`
    : afterEither(outcome, ways, 'deleteAll')
}

function afterEither(
  outcome: Exclude<ExportOutcome | DeleteOutcome, { readonly kind: 'warned' | 'unknown' }>,
  { site, again }: Ways,
  operation: 'exportSite' | 'deleteAll',
): string {
  switch (outcome.kind) {
    case 'done':
      return ''
    case 'references':
      return `provide what is missing, then run \`${again}\``
    case 'interrupted':
      return `run \`${again}\` to try again`
    case 'not-taken': {
      // A possible cause of a rejection where the version is unknown.
      const hint =
        outcome.failure.kind === 'refused' && site.version === undefined
          ? `; the version of the site is not known, and ${operation} needs ${operations[operation].since} or later`
          : ''
      return `${remedy(outcome, site)}, then run \`${again}\`${hint}`
    }
    default:
      return outcome satisfies never
  }
}

type NotTaken = Extract<OneShotFailure, { readonly kind: 'not-taken' }>

function remedy({ failure }: NotTaken, site: OneShotTarget): string {
  const token = describeTokenRemedy(site)
  return (
    suggestTlsRemedy(failure, site.route.caFile) ??
    suggestAtSite(site.url, failure, token)?.replaceAll('\n', '; ') ??
    (failure.kind === 'unauthorized' ? token : 'fix the cause')
  )
}

function describeTokenRemedy({ token, signIn }: OneShotTarget): string {
  if (signIn !== undefined) return 'check the account that signs in, its password and its permissions'
  return token === undefined
    ? 'sign in with `spec.site.signIn` or --sign-in, or name a token with --token env:NAME|file:PATH'
    : 'use a valid token of an account that may do this'
}

/** Adds a hint where the operation is not found: it may have another base URL. */
function elsewhere({ failure }: Extract<OneShotFailure, { readonly failure: unknown }>): string {
  const codes = ['status' in failure ? failure.status : 0, 'code' in failure ? failure.code : 0]
  return codes.includes(404) ? '; in public sources exportSite has its own base URL: pass it with --url' : ''
}
