import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { catalog } from '../diagnostics/catalog.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { type Emulator, startEmulator } from '../emulator/server.js'
import { loadManifest } from '../manifest/load-manifest.js'
import type { Manifest } from '../manifest/manifest.js'
import { redactedText } from '../manifest/redacted-text.js'
import { isLoopback, normalizedSiteUrl, siteUrlProblem } from '../manifest/site-url.js'
import type { TextOf } from '../report/diagnostics-text.js'
import { type BoundFiles, bindFiles } from '../secrets/bind-files.js'
import { rehearsalSource, type SecretSource, secretSource } from '../secrets/secret-source.js'
import { fileRecordStore } from '../state/file-record-store.js'
import { memoryRecordStore } from '../state/memory-record-store.js'
import type { RecordStore } from '../state/record-store.js'
import { exitCodeOfReferences, exitCodes } from './exit-code.js'
import type { Host } from './host.js'
import { parseDuration } from './options.js'
import { type Failure, shellWord } from './output.js'
import { readSource, standardInput } from './read-source.js'
import { UsageError } from './usage-error.js'

/** The values of the options that say which site, as yargs gives them. */
export interface SiteArguments {
  readonly file: string
  readonly url: string | undefined
  readonly emulate: boolean
  readonly state: string | undefined
  readonly 'allow-origin': readonly (string | number)[] | undefined
}

/** A manifest with everything around it that a command needs to look at its site, or to change it. */
export interface Session {
  readonly manifest: Manifest
  /** Warnings about the manifest. */
  readonly warnings: readonly Diagnostic[]
  /** Base URL that requests go to. */
  readonly url: string
  readonly secrets: SecretSource
  readonly records: RecordStore
  readonly textOf: TextOf
  /** Digests of the license files; stand-ins of a rehearsal are not bound. */
  bind(): Promise<BoundFiles>
  close(): Promise<void>
}

export type Opened =
  | { readonly ok: true; readonly session: Session }
  | { readonly ok: false; readonly failure: Failure; readonly textOf: TextOf }

/** Opens what the options name. Nothing is sent, and no secret is read. */
export async function openSession(args: SiteArguments, host: Host): Promise<Opened> {
  const refused = (failure: Failure, textOf: TextOf = () => undefined): Opened => ({
    ok: false,
    failure,
    textOf,
  })
  const override = overriddenUrl(args)
  const reply = await readSource(host, args.file)
  if (!reply.ok)
    return refused({ exitCode: exitCodes.missing, message: `the manifest ${args.file} ${reply.problem}` })
  const { source } = reply
  const textOf: TextOf = file => (file === source.name ? redactedText(source) : undefined)
  const loaded = loadManifest(source)
  if (!loaded.ok) {
    const message = `the manifest ${source.name} is not valid`
    return refused({ exitCode: exitCodes.invalid, message, diagnostics: loaded.diagnostics }, textOf)
  }
  const manifest = loaded.value
  const folder = args.file === standardInput ? '.' : dirname(args.file)
  const emulator = args.emulate ? await rehearsal(manifest, host) : undefined
  const url = normalizedSiteUrl(emulator?.url ?? override ?? manifest.site.url)
  const policy = emulator === undefined ? policyFailure(url, args, host) : undefined
  if (policy !== undefined) return refused(policy, textOf)
  const real = secretSource(host.environment, folder)
  const secrets = emulator === undefined ? real : rehearsalSource(real, () => randomBytes(12).toString('hex'))
  const records =
    emulator === undefined ? fileRecordStore(stateFolder(args.state, folder), url) : memoryRecordStore(url)
  return {
    ok: true,
    session: {
      manifest,
      warnings: loaded.diagnostics,
      url,
      secrets,
      records,
      textOf,
      bind: () => bindFiles(manifest.organization, secrets),
      close: async () => emulator?.close(),
    },
  }
}

/** A failure about references, with each diagnostic at its place in the manifest. */
export function referencesFailure(session: Session, diagnostics: readonly Diagnostic[]): Failure {
  return {
    exitCode: exitCodeOfReferences(diagnostics),
    message: 'secrets or files that the manifest refers to are missing or unfit; nothing was sent',
    diagnostics: placed(session.manifest, diagnostics),
  }
}

/** Diagnostics that arose after loading, with their places. */
export function placed(manifest: Manifest, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map(diagnostic => ({
    ...diagnostic,
    place: manifest.place(diagnostic.pointer, catalog[diagnostic.code].marks),
  }))
}

/** The words that name the same site on another command line. */
export function siteWords({ file, url, state, emulate }: SiteArguments): string {
  const options = [
    ...(url === undefined ? [] : ['--url', url]),
    ...(state === undefined ? [] : ['--state', state]),
    ...(emulate ? ['--emulate'] : []),
  ]
  return [file, ...options].map(shellWord).join(' ')
}

/** Time between two looks: a site on this machine is an emulator, and its stages are short. */
export function pollMsFor(url: string, option: string | undefined): number {
  if (option !== undefined) return Math.max(10, parseDuration('poll-interval', option))
  return isLoopback(new URL(url).hostname) ? 200 : 5000
}

async function rehearsal(manifest: Manifest, host: Host): Promise<Emulator> {
  return await startEmulator({ version: manifest.site.version, now: host.clock.now })
}

function overriddenUrl({ url, emulate }: SiteArguments): string | undefined {
  if (url === undefined) return undefined
  if (emulate) throw new UsageError('--url and --emulate exclude each other')
  const problem = siteUrlProblem(url)
  if (problem !== undefined) throw new UsageError(`the address in --url ${problem}`)
  return url
}

/** What must hold before a secret is read: the caller's pin of the origin, and a verified TLS. */
function policyFailure(url: string, args: SiteArguments, host: Host): Failure | undefined {
  if (host.environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    return {
      exitCode: exitCodes.refused,
      message:
        'NODE_TLS_REJECT_UNAUTHORIZED=0 switches the verification of TLS off; Landform does not run so',
      next: 'unset it, and name a certificate authority of your own with NODE_EXTRA_CA_CERTS',
    }
  const { origin } = new URL(url)
  const allowed = allowedOrigins(args, host)
  if (allowed.length > 0 && !allowed.includes(origin))
    return {
      exitCode: exitCodes.refused,
      message: `the site ${origin} is not one of the allowed origins (${allowed.join(', ')})`,
      next: 'look who changed the address of the site, or allow it with --allow-origin',
    }
  if (allowed.length === 0 && host.environment['CI'] !== undefined && !isLoopback(new URL(url).hostname))
    host.stderr.write(
      'warning: the address of the site comes from the manifest alone; pin it with --allow-origin or LANDFORM_ALLOWED_ORIGINS\n',
    )
  return undefined
}

function allowedOrigins({ 'allow-origin': allowed = [] }: SiteArguments, host: Host): readonly string[] {
  const named = [...allowed.map(String), ...(host.environment['LANDFORM_ALLOWED_ORIGINS'] ?? '').split(',')]
  return named
    .map(text => text.trim())
    .filter(text => text !== '')
    .map(text => {
      if (!URL.canParse(text)) throw new UsageError(`the allowed origin ${JSON.stringify(text)} is not a URL`)
      return new URL(text).origin
    })
}

function stateFolder(option: string | undefined, folder: string): string {
  if (option === undefined) return join(folder, '.landform')
  if (!option.startsWith('file:') || option === 'file:')
    throw new UsageError('--state names a folder, such as file:.landform')
  return option.slice('file:'.length)
}
