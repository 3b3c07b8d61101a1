import type { ExportRequest, ExportTarget } from '../../client/wire/export-fields.js'
import { UsageError } from '../usage-error.js'
import { parseSecretOption } from './secret-option.js'

/** The values of the options that say where an export goes. */
export interface ExportArguments {
  readonly location: string | undefined
  readonly bucket: string | undefined
  readonly region: string | undefined
  readonly container: string | undefined
  readonly 'account-name': string | undefined
  readonly 'account-endpoint': string | undefined
  readonly 'account-key': string | undefined
  readonly validate: boolean
}

const places = ['location', 'bucket', 'region', 'container'] as const
const containerOptions = ['account-name', 'account-endpoint', 'account-key'] as const

/** Reads where an export goes; a mixed or incomplete variant is refused, saying what is missing. Service §4.1. */
export function parseExport(args: ExportArguments): Omit<ExportRequest, 'token'> {
  const { location, validate } = args
  if (location === undefined) throw new UsageError('name the folder of the export with --location')
  for (const name of places) refuseStrayCharacters(name, args[name])
  return { location, validate, target: targetOf(args) }
}

function targetOf(args: ExportArguments): ExportTarget {
  const { bucket, region, container } = args
  if (bucket !== undefined && container !== undefined)
    throw new UsageError('--bucket and --container exclude each other')
  if (bucket !== undefined) {
    refuseStrays(args, containerOptions, '--container, not with --bucket')
    if (region === undefined) throw new UsageError('--bucket needs --region, too')
    return { kind: 'bucket', name: bucket, region }
  }
  refuseStrays(args, ['region'], '--bucket')
  if (container === undefined) {
    refuseStrays(args, containerOptions, '--container')
    return { kind: 'folder' }
  }
  const { 'account-name': accountName, 'account-endpoint': accountEndpoint } = args
  const accountKey = parseSecretOption('account-key', args['account-key'])
  if (accountName === undefined || accountEndpoint === undefined || accountKey === undefined) {
    const missing = containerOptions.filter(name => args[name] === undefined).map(name => `--${name}`)
    throw new UsageError(`--container needs ${missing.join(' and ')}, too`)
  }
  refuseSecrets('container', container)
  refuseSecrets('account-name', accountName)
  refuseSecrets('account-endpoint', accountEndpoint)
  return { kind: 'container', url: container, accountName, accountEndpoint, accountKey }
}

function refuseStrays(args: ExportArguments, names: readonly (keyof ExportArguments)[], owner: string) {
  const stray = names.find(name => args[name] !== undefined)
  if (stray !== undefined) throw new UsageError(`--${stray} goes with ${owner}`)
}

/** They come from pasting and from scripts, and the export would lie where nobody looks for it. */
function refuseStrayCharacters(name: string, text = ''): void {
  if (text !== text.trim() || /\p{Cc}/u.test(text))
    throw new UsageError(`--${name} begins or ends with a space, or holds a control character`)
}

/**
 * Signed addresses carry their signature behind a question mark, others a password before the host, and a connection
 * string has the key in it.
 */
function refuseSecrets(name: string, text: string): void {
  if (/[?#@;=]/.test(text))
    throw new UsageError(
      `--${name} holds a query, a fragment, a user or a connection string; a secret is never an option`,
    )
}
