import { probeSite } from '../../client/probe-site.js'
import { siteReader } from '../../client/site-reader.js'
import type { AnswerShape, Evidence } from '../../evidence/evidence.js'
import type { SecretReference } from '../../manifest/manifest.js'
import { display } from '../../report/display.js'
import { toFailure } from '../../report/endings/problems.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { shellWord } from '../../report/shell-word.js'
import { isObject, type JsonValue } from '../../schema/json-schema.js'
import { listUpdateReferences } from '../../secrets/needed-references.js'
import { resolve, wipeAll } from '../../secrets/resolve.js'
import { secretSource } from '../../secrets/secret-source.js'
import { createTokenProvider } from '../../secrets/token-provider.js'
import { version } from '../../version.js'
import { type ArgumentsOf, declare, flag, pair, text } from '../command.js'
import {
  commonOptions,
  formatOption,
  manifestArgument,
  scenarioOption,
  signInOption,
  siteFormats,
  siteOptions,
  tokenOption,
} from '../command-options.js'
import type { Host } from '../host.js'
import { type AddressedSite, openSiteOrAddress, withSite } from '../site/open-session.js'
import { toTokenReadFailure } from '../site/read-site.js'
import { parseSecretOption } from '../site/secret-option.js'
import { type Failure, jsonText } from '../terminal/output.js'
import { isTaken, writeWhole } from '../terminal/write-file.js'

const declaration = declare({
  name: 'probe',
  describe: 'Record how a site responds, without its values; read-only',
  touches: 'looks',
  arguments: [{ ...manifestArgument, optional: true }],
  options: {
    out: text('FILE', 'Write the evidence to a new file'),
    force: flag('Replace the file of --out if it exists'),
    ...tokenOption('Location of the token, if no manifest names one'),
    ...signInOption,
    ...siteOptions,
    ...scenarioOption,
    ...formatOption(siteFormats),
    ...commonOptions,
  },
  examples: [
    ['probe site.yaml', 'show which resources respond'],
    ['probe site.yaml --out evidence.json', 'write the responses to a file, without values'],
    ['probe --url https://gis.example.org/arcgis/admin --token env:LANDFORM_TOKEN', 'without a manifest'],
  ],
})

/** Writes a file about how a site responds, without its values. Sends only GET requests and the sign-in request. */
async function probe(argv: ArgumentsOf<typeof declaration>, host: Host): Promise<ExitCode> {
  const { file, out, force, quiet } = argv
  if (force && out === undefined) throw new UsageError('--force is for the file of --out')
  const token = parseSecretOption('token', argv.token)?.reference
  const site = { ...argv, file, state: undefined, needsState: false }
  return withSite({ ...argv, file, out: undefined }, host, {
    formats: siteFormats,
    replaces: [out],
    open: () => openSiteOrAddress(site, host),
    async work({ session, refuse, warn, report }) {
      warn(session.warnings)
      if (out !== undefined && !force && isTaken(out))
        return refuse({
          exitCode: exitCodes.refused,
          message: `${shellWord(out)} exists already`,
          next: ['name another file with --out, or replace this one with --force'],
        })
      const { url, route } = session
      // As for every option, its file is below the working folder, wherever the manifest is.
      const here = secretSource(host.environment, '.')
      const missing = await findMissing(token, { ...session, secrets: here })
      if (missing !== undefined) return refuse(missing)
      const provideToken = token === undefined ? session.provideToken : createTokenProvider(token, here)
      const { signal } = new AbortController()
      const failure = await findFailure({ url, route, provideToken }, signal)
      if (failure !== undefined) return refuse(failure)
      const now = () => host.clock.monotonicMs()
      const observations = await probeSite({ url, route, provideToken, now }, signal)
      const probedOn = new Date(host.clock.now()).toISOString().slice(0, 10)
      const evidence: Evidence = { formatVersion: 1, tool: version, probedOn, observations }
      const text = jsonText(evidence)
      if (out !== undefined) writeWhole(out, { content: text, isNew: !force })
      const exitCode = await report(format => (format === 'json' ? text : formatEvidence(evidence)))
      const end =
        out === undefined
          ? 'no file was written\nnext: write one with --out evidence.json\n'
          : `wrote ${shellWord(out)}; it contains no values of the site\nnext: read it before you send it\n`
      if (!quiet) host.stderr.print(end)
      return exitCode
    },
  })
}

/** Explains why the token of `--token` cannot be read; without it the site would respond differently. */
async function findMissing(
  token: SecretReference | undefined,
  { secrets, commands }: AddressedSite,
): Promise<Failure | undefined> {
  const resolved = await resolve(listUpdateReferences(token), secrets)
  if (!resolved.ok)
    return { ...toFailure({ kind: 'references', diagnostics: resolved.error }, commands), next: [] }
  wipeAll(resolved.value.secrets)
  return undefined
}

/**
 * Explains why there is nothing to probe. A response that is certainly from a site is worth probing even if Landform
 * does not understand it; a web page may be from any server.
 */
async function findFailure(
  { url, provideToken, route }: Pick<Parameters<typeof probeSite>[0], 'url' | 'provideToken' | 'route'>,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const reply = await siteReader(url, provideToken, route).observe(signal)
  if (reply.ok || reply.error.kind === 'refused') return undefined
  if (reply.error.kind === 'not-understood' && reply.error.reason !== 'not-a-json-object') return undefined
  return toTokenReadFailure({ url, route }, reply.error)
}

/** Formats observations for people, including those that failed. */
function formatEvidence({ observations }: Evidence): string {
  const rows = observations.map(({ resource, store, signedIn, answer }) => {
    const path = resource === '' ? '/' : resource.replace('{store}', `{store ${store}}`)
    return { path, token: signedIn ? 'with token' : 'no token', what: describeAnswer(answer) }
  })
  const width = Math.max(...rows.map(({ path }) => path.length))
  const lines = rows.map(({ path, token, what }) => `${path.padEnd(width)}  ${token.padEnd(10)}  ${what}`)
  return `${lines.join('\n')}\n`
}

function describeAnswer(answer: AnswerShape): string {
  switch (answer.kind) {
    case 'none':
      return 'no response'
    case 'json':
      return `${answer.status} JSON${describeBody(answer.body)}`
    case 'redirect':
      return `${answer.status} redirect, ${answer.to}`
    default:
      return `${answer.status} ${answer.kind}`
  }
}

function describeBody(body: JsonValue): string {
  const read = (name: string, field: string) => {
    const part = isObject(body) ? body[name] : undefined
    const value = isObject(part) ? part[field] : undefined
    return value === undefined ? '' : String(value)
  }
  const [code, state] = [read('error', 'code'), read('status', 'state')]
  return `${code === '' ? '' : `, error ${display(code)}`}${state === '' ? '' : `, ${display(state)}`}`
}

export const command = pair(declaration, probe)
