import type { ExportRequest, ExportTarget } from '../../client/wire/form-requests.js'
import { findHidden } from '../../manifest/hidden-characters.js'
import { exportSite as perform } from '../../operations/one-shot.js'
import { endOfExport } from '../../report/endings/one-shot.js'
import { type ExitCode, UsageError } from '../../report/exit-code.js'
import { describeExportCheck, exportDocument, formatExport } from '../../report/one-shot.js'
import { type ArgumentsOf, declare, flag, pair, text } from '../command.js'
import { confirmOption, oneShotOptions, targetArgument } from '../command-options.js'
import type { Host } from '../host.js'
import { formatCommandAgain } from '../one-shot/consent.js'
import { performOneShot } from '../one-shot/perform.js'
import { parseDeadline } from '../options.js'
import { parseSecretOption } from '../site/secret-option.js'
import { paintFor } from '../terminal/output.js'

const declaration = declare({
  name: 'export-site',
  describe: 'Export the site once, or only check the location',
  touches: 'sends',
  arguments: [targetArgument],
  options: {
    location: text('FOLDER', 'Folder to write to, as the service sees it'),
    bucket: text('NAME', 'Write to a bucket; the folder then gets a pointer to it'),
    region: text('REGION', 'Region of the bucket'),
    container: text('URL', 'Write to a blob container'),
    'account-name': text('NAME', 'Storage account of the container'),
    'account-endpoint': text('ENDPOINT', 'Endpoint of that account'),
    'account-key': text('env:NAME|file:PATH', 'Location of the key of that account'),
    validate: flag('Only check whether the location can be written (from 11.1)'),
    'allow-warnings': flag('Treat an export with warnings as a success'),
    ...confirmOption,
    timeout: text('TIME', 'How long the export may take', { default: '60m' }),
    ...oneShotOptions,
  },
  examples: [
    ['export-site site.yaml --location /backups --validate', 'check the folder'],
    ['export-site --url URL --token env:LANDFORM_TOKEN --location /backups', 'ask, then export'],
    ['export-site site.yaml --location /backups --bucket NAME --region R --yes', 'into a bucket'],
  ],
})

/** Exports a site once, or checks the location. Service §4.1. */
async function exportSite(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const deadlineMs = parseDeadline(argv.timeout)
  const asked = parseExport(argv)
  const { validate } = asked
  const again = (changes: object = {}) => formatCommandAgain(declaration, { ...argv, ...changes })
  return performOneShot(argv, host, session => {
    const { url } = session
    const request = { ...asked, token: session.token }
    const isSureCheck = validate && session.version !== undefined
    return {
      needs: ['exportSite', ...(validate ? (['exportSite validate'] as const) : [])],
      effect: formatExport(session, request, paintFor('stderr', argv.color)),
      consent: {
        // An older service may ignore the parameter, and export.
        guarded: { confirmation: session.host, mustBeNamed: false, matters: !isSureCheck && !argv.emulate },
        question: validate ? `Ask ${url} whether it could export?` : `Export ${url}?`,
        again: again(argv.confirm === undefined ? { yes: true } : { confirm: session.host }),
      },
      again: again(),
      deadlineMs,
      progress: validate ? 'checking the location' : 'exporting the site; this can take long',
      isCheck: validate,
      look: since => describeExportCheck(request, since),
      run: (ports, options) => perform(request, ports, options),
      end: outcome => endOfExport({ ...outcome, request, allowsWarnings: argv['allow-warnings'] }),
      document: ended => exportDocument(url, request, ended),
    }
  })
}

type ExportArguments = ArgumentsOf<typeof declaration>

const containerOptions = ['account-name', 'account-endpoint', 'account-key'] as const

/** Parses the target of an export; rejects mixed and incomplete ones. Service §4.1. */
function parseExport(args: ExportArguments): Omit<ExportRequest, 'token'> {
  const { location, validate } = args
  if (location === undefined) throw new UsageError('name the folder of the export with --location')
  for (const name of ['location', 'bucket', 'region', 'container'] as const) {
    const given = args[name] ?? ''
    // Such characters come from pasting or scripts, and the export would go to an unexpected folder.
    if (given !== given.trim() || findHidden(given, { lines: false }) !== undefined)
      throw new UsageError(
        `--${name} begins or ends with a space, or contains a character that cannot be seen`,
      )
  }
  const target = parseExportTarget(args)
  for (const [name, isWrong, remedy] of forms)
    if (isWrong.test(args[name] ?? '')) throw new UsageError(`--${name} takes ${remedy}`)
  return { location, validate, target }
}

/**
 * Invalid values of options. The service documents the name of a bucket and the URL of a container, but no form of an
 * endpoint; only a single word is certainly not an address. Service §4.1.
 */
const forms = [
  ['bucket', /:\/\//, 'the name of the bucket alone, without s3:// and without a path'],
  [
    'container',
    /^(?!https?:\/\/[^/])./is,
    'the URL of the container, such as https://ACCOUNT.blob.core.windows.net/CONTAINER',
  ],
  [
    'account-endpoint',
    /^[^.:/]+$/,
    'the endpoint of the account, such as https://ACCOUNT.blob.core.windows.net, not a name',
  ],
] as const

function parseExportTarget(args: ExportArguments): ExportTarget {
  const { bucket, region, container } = args
  if (bucket !== undefined && container !== undefined)
    throw new UsageError('--bucket and --container exclude each other')
  if (bucket !== undefined) {
    refuseStrays(args, containerOptions, '--container, not with --bucket')
    if (region === undefined) throw new UsageError('--bucket also needs --region')
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
    throw new UsageError(`--container also needs ${missing.join(' and ')}`)
  }
  // A signed URL has its signature after the question mark, others have a password before the host, and a connection
  // string has a key.
  for (const name of ['container', 'account-name', 'account-endpoint'] as const)
    if (/[?#@;=]/.test(args[name] ?? ''))
      throw new UsageError(
        `--${name} contains a query, a fragment, a user or a connection string; a secret is never an option`,
      )
  return { kind: 'container', url: container, accountName, accountEndpoint, accountKey }
}

function refuseStrays(args: ExportArguments, names: readonly (keyof ExportArguments)[], owner: string) {
  const stray = names.find(name => args[name] !== undefined)
  if (stray !== undefined) throw new UsageError(`--${stray} needs ${owner}`)
}

export const command = pair(declaration, exportSite)
