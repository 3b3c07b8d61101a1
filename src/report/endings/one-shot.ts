import type { ServiceFailure } from '../../client/failure.js'
import { operations } from '../../contract/operations.js'
import type { ServiceVersion } from '../../contract/versions.js'
import type { DeleteOutcome, ExportOutcome, OneShotFailure } from '../../operations/outcome.js'
import { display } from '../display.js'
import { chooseReferencesExit, suggestReferences } from '../findings.js'
import type { ExportSummary } from '../one-shot.js'
import type { Sent } from '../sent.js'
import { endings } from './ending.js'
import { namePath } from './problems.js'
import { causeOfService, describeFailure } from './service.js'

/** The parts of the next steps after a one-shot operation. */
export interface Ways {
  readonly site: {
    readonly url: string
    readonly route: { readonly caFile?: string | undefined }
    /** Absent if unknown. */
    readonly version: ServiceVersion | undefined
    /** Absent if the token has no source, or comes from signing in. */
    readonly token: object | undefined
    readonly signIn: unknown
  }
  /** Where to check the outcome. */
  readonly look: string
  readonly again: string
}

type Failed<K> = OneShotFailure & { readonly kind: K }

const unsent = {
  references: {
    say: 'secrets are missing or invalid',
    exit: ({ diagnostics }: Failed<'references'>) => chooseReferencesExit(diagnostics),
    next: ({ diagnostics }: Failed<'references'>, { again }: Ways) =>
      `${suggestReferences(diagnostics)}, then run \`${again}\``,
  },
  interrupted: {
    say: 'interrupted',
    exit: 'interrupted',
    next: (_: unknown, { again }: Ways) => `run \`${again}\` to try again`,
  },
} as const

const unknown = {
  title: 'the outcome of an export or a deletion is unknown',
  sent: 'perhaps',
  exit: 'unknown',
} as const

const notTaken = {
  sent: ({ failure }: Failed<'not-taken'>): Sent => (failure.kind === 'not-sent' ? 'nothing' : 'something'),
  // The usual exit code of a redirect means that the site was only read; here a request was sent.
  exit: ({ failure }: Failed<'not-taken'>) =>
    failure.kind === 'redirected' ? ('permission' as const) : causeOfService(failure).exit,
}

/** An export, its request, and whether its warnings count as a success. */
type Exported = ExportOutcome & { readonly request: ExportSummary; readonly allowsWarnings: boolean }

/** The endings of an export. */
export const endOfExport = endings<Exported, Ways>({
  ...unsent,
  done: {
    title: 'the site was exported, or can be',
    say: ({ request: { validate }, location = '' }) =>
      validate ? 'checked: an export can be written there' : `exported to ${display(location)}`,
    sent: 'something',
    exit: 'done',
  },
  warned: {
    title: { serviceFailed: 'the service reported warnings about an export' },
    say: ({ location }) =>
      location === undefined
        ? 'checked, with a warning: an export can be written there'
        : `exported with a warning to ${display(location)}`,
    sent: 'something',
    exit: ({ allowsWarnings }) => (allowsWarnings ? 'done' : 'serviceFailed'),
    next: ({ allowsWarnings }) =>
      allowsWarnings ? [] : 'read the warnings; --allow-warnings treats such a result as a success',
  },
  unknown: {
    ...unknown,
    say: ({ failure }) => `the outcome of exportSite is unknown: ${describeFailure(failure)}`,
    next: ({ failure }, { look, again }) =>
      `${look}; it may still be written. If none appears, run \`${again}\`${elsewhere(failure)}`,
  },
  'not-taken': {
    ...notTaken,
    say: ({ request, failure }) =>
      `${request.validate ? 'the check failed' : 'the site was not exported'}: ${describeFailure(failure)}`,
    next: ({ failure }, ways) => `${suggestAgain(failure, ways, 'exportSite')}${elsewhere(failure)}`,
  },
})

/** The endings of a deletion. The next commands omit the confirmation, because a person has to check first. */
export const endOfDeletion = endings<DeleteOutcome & { readonly service: string }, Ways>({
  ...unsent,
  done: {
    title: 'all webhooks of the service were deleted',
    say: ({ service }) => `deleted all webhooks of ${service}`,
    sent: 'something',
    exit: 'done',
  },
  unknown: {
    ...unknown,
    say: ({ failure }) => `the outcome of deleteAll is unknown: ${describeFailure(failure)}`,
    next: (_, { look, again }) =>
      `${look}; \`${again}\` lists them on a terminal before it asks. A second deletion would also delete new ones`,
  },
  'not-taken': {
    ...notTaken,
    say: ({ failure }) => `the webhooks were not deleted: ${describeFailure(failure)}`,
    next: ({ failure }, ways) => suggestAgain(failure, ways, 'deleteAll'),
  },
})

function suggestAgain(
  failure: ServiceFailure,
  { site, again }: Ways,
  operation: 'exportSite' | 'deleteAll',
): string {
  const { url, route, version } = site
  const around = { path: namePath(url), token: describeTokenRemedy(site), caFile: route.caFile }
  const remedy = causeOfService(failure).fix(around)?.join('; ') ?? 'fix the cause'
  // If the version is unknown, it may be the cause of the rejection.
  const hint =
    failure.kind === 'refused' && version === undefined
      ? `; the version of the site is not known, and ${operation} needs ${operations[operation].since} or later`
      : ''
  return `${remedy}, then run \`${again}\`${hint}`
}

function describeTokenRemedy({ token, signIn }: Ways['site']): string {
  if (signIn !== undefined) return 'check the account that signs in, its password and its permissions'
  return token === undefined
    ? 'sign in with `spec.site.signIn` or --sign-in, or name a token with --token env:NAME|file:PATH'
    : 'use a valid token of an account with permission for this'
}

/** Adds a hint if the operation is not found: it may have another base URL. */
function elsewhere(failure: ServiceFailure): string {
  const codes = ['status' in failure ? failure.status : 0, 'code' in failure ? failure.code : 0]
  return codes.includes(404) ? '; in public sources exportSite has its own base URL: pass it with --url' : ''
}
