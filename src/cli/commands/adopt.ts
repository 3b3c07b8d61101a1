import { rmSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { adoptSite, findRecorded } from '../../apply/adopt-site.js'
import { readInventory, siteExplorer } from '../../client/read-inventory.js'
import { siteReader } from '../../client/site-reader.js'
import { findRelease } from '../../contract/versions.js'
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostic.js'
import { nonce } from '../../library/system-ports.js'
import { computeDigest } from '../../manifest/digest.js'
import { loadManifest } from '../../manifest/load-manifest.js'
import { placeholder } from '../../manifest/may-be-secret.js'
import { findPlaceholder } from '../../manifest/placeholder.js'
import { formatLocation } from '../../manifest/state-location.js'
import type { ConvertedProperties } from '../../migrate/from-properties.js'
import {
  type ComposedAdoption,
  chooseName,
  composeAdoption,
  nothingSaid,
  type SeenSite,
} from '../../plan/adoption.js'
import { wholeSite } from '../../plan/assertion.js'
import { listLeaves } from '../../plan/compare/differences.js'
import { adoptionDocument, formatAdoption } from '../../report/adoption.js'
import { display } from '../../report/display.js'
import { endOfAdoption } from '../../report/endings/adoption.js'
import { buildFailure } from '../../report/endings/ending.js'
import { type ExitCode, exitCodes, UsageError } from '../../report/exit-code.js'
import { formatNumber } from '../../report/phrase.js'
import { shellWord } from '../../report/shell-word.js'
import type { Result } from '../../result.js'
import type { JsonObject } from '../../schema/json-schema.js'
import { createTokenProvider } from '../../secrets/token-provider.js'
import { type ArgumentsOf, declare, flag, list, pair, text } from '../command.js'
import {
  commonOptions,
  formatOption,
  lockOption,
  scenarioOption,
  signInOption,
  siteFormats,
  siteOptions,
  stateOption,
} from '../command-options.js'
import type { Host } from '../host.js'
import { readFound } from '../init/migrate-properties.js'
import { schemaLink, writeNew } from '../init/new-files.js'
import { printFindings } from '../init/start-manifest.js'
import { assertSite, explainUnready, findPerson } from '../site/assert-site.js'
import { type AddressedSite, openSiteOrAddress, withSite } from '../site/open-session.js'
import { readState, toTokenReadFailure } from '../site/read-site.js'
import { chooseAccess, parseSecretOption } from '../site/secret-option.js'
import { parseStateOption } from '../site/state-option.js'
import { type Failure, jsonText } from '../terminal/output.js'
import { isTaken } from '../terminal/write-file.js'

const declaration = declare({
  name: 'adopt',
  describe:
    'Record that a site matches its manifest, or write a manifest for an existing site, and record it as adopted',
  touches: 'changes',
  arguments: [
    {
      name: 'file',
      optional: true,
      describe:
        'The manifest [default: site.yaml]; a file that does not exist is written; - prints it, and records nothing',
    },
  ],
  options: {
    field: list('FIELD', 'Record only this field, such as spec.license.file (repeatable); needs --reason'),
    reason: text('TEXT', 'Reason for the assertion; kept in the state'),
    by: text('NAME', 'Person who asserts it; kept in the state [default: from the environment]'),
    insist: flag('Record the manifest even if the site reports other values'),
    name: text('NAME', 'For a new manifest: name of the site [default: from its host]'),
    token: text(
      'env:NAME|file:PATH',
      'For a new manifest: location of the token; a file is relative to the manifest',
    ),
    ...signInOption,
    'from-properties': list(
      'FILE',
      'For a new manifest: also assert the values in this file of the vendor: properties, chart values or JSON variables',
    ),
    ...siteOptions,
    url: text('URL', 'Base URL of the administrator API of the site'),
    ...scenarioOption,
    ...stateOption,
    ...lockOption,
    ...formatOption(siteFormats),
    ...commonOptions,
  },
  examples: [
    ['adopt site.yaml', 'record that the site matches this manifest'],
    [
      'adopt site.yaml --field spec.license.file --reason "renewed in June"',
      'record a change that somebody made on the site',
    ],
    ['adopt --url https://gis.example.org/arcgis/admin --state git:origin', 'write site.yaml, and record it'],
    [
      'adopt --url URL --state git:origin --token env:LANDFORM_TOKEN --from-properties configure.properties',
      'read the settings that need a token, and assert the rest',
    ],
    ['adopt - --url URL --state git:origin', 'only print the manifest'],
  ],
})

type Arguments = ArgumentsOf<typeof declaration>

/** Records assertions about a site, with its manifest or a new one. Sends only GET requests and the sign-in request. */
async function adopt(argv: Arguments, host: Host): Promise<ExitCode> {
  const { file = 'site.yaml' } = argv
  const describesNew = ['name', 'token', 'sign-in'].some(name => argv[name as 'name'] !== undefined)
  const isNew = file === '-' || !isTaken(file)
  if (!isNew && !describesNew && argv['from-properties'].length === 0)
    return assertSite({ ...argv, file }, host)
  if (isNew && (argv.field.length > 0 || argv.insist))
    throw new UsageError(
      `--field and --insist are about the manifest of a site, and ${display(file)} does not exist`,
    )
  return adoptWithNewManifest(argv, host)
}

/** Writes a manifest for an existing site, and records its values. */
async function adoptWithNewManifest(argv: Arguments, host: Host): Promise<ExitCode> {
  const { file = 'site.yaml' } = argv
  const token = parseSecretOption('token', argv.token)?.reference
  const files = argv['from-properties']
  // The site itself reports the version and the cloud storage.
  const found = await readFound(
    files,
    { url: argv.url, name: argv.name, 'service-version': '', cloud: '' },
    host,
  )
  if (found.ok) printFindings(found.value.diagnostics, argv.color, host)
  const given = found.ok ? withoutTemplates(found.value) : nothingSaid
  const url = argv.url ?? given.answers.url
  const name = argv.name ?? given.answers.name ?? chooseName(url)
  const about = { name, folder: file === '-' ? '.' : dirname(file) }
  return withSite({ ...argv, file: undefined }, host, {
    formats: siteFormats,
    open: async () =>
      found.ok
        ? openSiteOrAddress({ ...argv, url, file: undefined, about }, host)
        : { ok: false, error: { failure: found.error } },
    async work({ session, refuse, warn, report }) {
      if (file !== '-' && isTaken(file))
        return refuse({
          exitCode: exitCodes.refused,
          message: `${shellWord(file)} exists already; nothing was written`,
          next: [
            `to record that the site is as it says: \`landform adopt ${shellWord(file)}\``,
            'or name another file',
          ],
        })
      const refusal = await refuseRecorded(session)
      if (refusal !== undefined) return refuse(refusal)
      const provideToken =
        token === undefined ? session.provideToken : createTokenProvider(token, session.secrets)
      const seen = await lookAt({ ...session, provideToken })
      if (!seen.ok) return refuse(seen.error)
      warn(found.ok ? diagnoseOtherVersion(found.value, seen.value.observed.version) : [])
      const link = file === '-' ? undefined : schemaLink(file, undefined)
      const state = nameState(argv.state, about.folder)
      const composed = composeAdoption(
        seen.value,
        { ...given, name, state, access: chooseAccess(argv) },
        link?.address,
      )
      if (file === '-') {
        host.stdout.write(composed.content)
        return exitCodes.done
      }
      const next = `replace each ${placeholder}, then landform validate`
      const { length } = composed.unlabelled
      const words = `the labels of ${formatNumber(length, 'volume')} are unknown and left out; they cannot be changed later`
      const notes = length === 0 ? [] : [words]
      writeNew(
        { content: composed.content, link, ci: undefined, notes, next },
        { file, force: false, quiet: argv.quiet },
        host,
      )
      const { state: store } = session
      const manifest = computeDigest(Buffer.from(composed.content))
      const who = findPerson(argv, host)
      const adopted = await adoptSite(
        { state: store, now: () => host.clock.now(), nonce },
        {
          ...who,
          parts: [wholeSite],
          replaces: 'nothing',
          record: (_, assertedAt) => ({
            organization: { appliedAt: assertedAt, asserted: true, manifest, value: composed.value },
            policy: undefined,
            assertions: [{ pointer: wholeSite, assertedAt, ...who }],
          }),
        },
      )
      if (adopted.kind !== 'adopted') {
        // Without a record the manifest would wrongly look adopted.
        rmSync(file)
        return refuse(buildFailure(endOfAdoption(adopted), session.commands))
      }
      const made = {
        url: session.url,
        version: seen.value.observed.version ?? null,
        manifest: file,
        state: store.where,
        assertedAt: adopted.assertedAt,
        ...who,
        ...describeFields(composed, file),
        resources: seen.value.inventory.resources,
      }
      return report(format => (format === 'json' ? jsonText(adoptionDocument(made)) : formatAdoption(made)))
    },
  })
}

/** Formats the state location; a folder is relative to the manifest. */
function nameState(option: string | undefined, folder: string): string | undefined {
  if (option === undefined) return undefined
  const location = parseStateOption('state', option)
  if (location.kind !== 'file') return formatLocation(location)
  return formatLocation({ ...location, folder: relative(folder, location.folder) || '.' })
}

/** Removes answers that are template text. `adopt` marks their fields as unknown. */
function withoutTemplates(found: ConvertedProperties): ConvertedProperties {
  const filled = Object.entries(found.answers).filter(([, text]) => findPlaceholder(text) === undefined)
  return { ...found, answers: Object.fromEntries(filled) }
}

/** Reports that the file names another version than the site: the site was upgraded, or the file belongs to another site. */
function diagnoseOtherVersion(
  { versions: [named] }: ConvertedProperties,
  reported = '',
): readonly Diagnostic[] {
  const version = findRelease(reported)
  if (named === undefined || version === undefined || named.version === version) return []
  const { written: name, place } = named
  return [
    {
      ...diagnose('properties/left-out', '/spec/site/version', { names: [name], because: 'another-version' }),
      place,
    },
  ]
}

function describeFields({ content, value, read, unread, leftOut }: ComposedAdoption, file: string) {
  const { diagnostics } = loadManifest({ name: file, bytes: Buffer.from(content) })
  const unknown = diagnostics.filter(({ code }) => code === 'manifest/placeholder')
  const asserted = listLeaves({ ...value } as JsonObject, '/spec').map(({ pointer }) => pointer)
  return {
    read,
    asserted: asserted.filter(pointer => pointer !== '/spec'),
    unknown: unknown.map(({ pointer }) => pointer),
    unread: unread.map(({ section, because }) => ({ pointer: `/spec/${section}` as const, because })),
    leftOut,
  }
}

async function refuseRecorded(session: AddressedSite): Promise<Failure | undefined> {
  const kept = await readState(session)
  if (!kept.ok) return kept.error
  const recorded = findRecorded(kept.value, 'nothing')
  return recorded && buildFailure(endOfAdoption(recorded), session.commands)
}

/** Reads a configured site, or explains why there is nothing to adopt. */
async function lookAt({
  url,
  route,
  provideToken,
  commands,
}: Pick<AddressedSite, 'url' | 'route' | 'provideToken' | 'commands'>): Promise<Result<SeenSite, Failure>> {
  const { signal } = new AbortController()
  const refused = (error: Failure) => ({ ok: false, error }) as const
  const reader = siteReader(url, provideToken, route)
  const reply = await reader.observe(signal)
  if (!reply.ok) return refused(toTokenReadFailure({ url, route }, reply.error))
  const { value: observed } = reply
  const obstacle = explainUnready(observed, { url, commands })
  if (obstacle !== undefined) return refused(obstacle)
  const settings = await reader.settings(signal)
  const inventory = await readInventory(siteExplorer(url, provideToken, route), signal)
  return { ok: true, value: { url, observed, settings, inventory } }
}

export const command = pair(declaration, adopt)
