import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import { type Emulator, startEmulator } from '../../src/emulator/server.js'
import { type LoadedEntry, loadedCommands } from '../../src/reference/loaded-commands.js'
import { answeringSite, http, json } from '../support/answering-site.js'
import { cases } from '../support/cases.js'
import { type NamedFiles, wordsOf } from '../support/command-lines.js'
import { damageState } from '../support/damaged-state.js'
import { fakeHost } from '../support/fake-host.js'
import { stopRawServers } from '../support/raw-server.js'
import { readReport } from '../support/report-forms.js'
import { schemaComplaints } from '../support/schema-complaints.js'
import { someSecrets } from '../support/some-secrets.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

/** Those of a fleet are in a package of their own, and so are their tests. */
const table = (await loadedCommands()).filter(
  ({ touches, command }) => command.options['format'] !== undefined && touches !== 'fleet',
)

/** Schemas of JSON documents that are not called like their command; `undefined` is a manifest itself. */
const schemas: Readonly<Record<string, string | undefined>> = {
  validate: 'validation',
  show: 'plan',
  apply: 'receipt',
  'export-site': 'export',
  'webhooks delete-all': 'webhooks',
  render: undefined,
  'state show': 'history',
  test: 'test-report',
}
const schemaOf = ({ name }: LoadedEntry) => (name in schemas ? schemas[name] : name)

const earlier = 'of an earlier run'
const nobody = 'http://127.0.0.1:9/admin'
let folder = ''
let site: Emulator
/** A site whose configuration lasts longer than anybody waits. */
let slow: Emulator | undefined
let sites: Readonly<Record<'page' | 'token', string>> = { page: '', token: '' }
const files: Record<
  'valid' | 'warned' | 'invalid' | 'blocked' | 'plan' | 'altered' | 'damaged' | 'badState',
  string
> = {} as never

beforeAll(async () => {
  folder = await temporaryFolder()
  cpSync('examples', folder, { recursive: true })
  mkdirSync(join(folder, '.git'))
  site = await startEmulator({ stageMs: 1 })
  slow = await startEmulator({ stageMs: 3_600_000 })
  const page = await answeringSite(http(200, '<html>'), http(200, '<html>'))
  const refusal = json({ error: { code: 499, message: 'Token Required.', details: null } })
  const token = await answeringSite(refusal, refusal)
  sites = { page: page.url, token: token.url }
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const text = readFileSync('examples/quickstart.yaml', 'utf8').replace(/https:[^ ]*admin\b/, site.url)
  files.valid = file('valid.yaml', text)
  files.warned = file('warned.yaml', text.replace('creatorUT', 'someUT'))
  files.invalid = file('invalid.yaml', text.replace('profile: development', 'profile: developmemt'))
  const tests = (expected: string) =>
    `apiVersion: landform.dev/v1\nkind: SiteTest\nmanifest: valid.yaml\ntests:\n  - { name: one, ${expected} }\n`
  file('valid.test.yaml', tests('expect: { diagnostics: [] }'))
  file('warned.test.yaml', tests('site: { faults: [exportSite=drop-after] }, expect: { exitCode: 0 }'))
  file('invalid.test.yaml', tests('expects: {}'))
  file('differs.test.yaml', tests('expect: { exitCode: 3 }'))
  files.plan = join(folder, 'plan.json')
  const ready = async (args: readonly string[], code = 0) => {
    const host = fakeHost({ environment: someSecrets })
    if ((await run(args, host)) !== code) throw new Error(host.err())
  }
  await ready(['apply', files.valid, '--yes'])
  await ready(['plan', files.valid, '--out', files.plan])
  await ready(['apply', files.valid, '--url', slow.url, '--yes', '--detach'], 3)
  files.blocked = file('blocked.yaml', text.replace('profile: development', 'profile: standard-availability'))
  const plan = readFileSync(files.plan, 'utf8')
  files.altered = file('altered.json', plan.replace('"name":"', '"name":"x'))
  files.damaged = file('damaged.json', '{"formatVersion":1')
  files.badState = join(folder, 'bad-state')
  await ready(['plan', files.valid, '--state', `file:${files.badState}`])
  cpSync(join(folder, '.landform'), files.badState, { recursive: true })
  await damageState(files.badState)
})
afterAll(async () => {
  await site.close()
  await slow?.close()
  await stopRawServers()
  await removeTemporaryFolders()
})

/** What lets a command go ahead without a question; the address is that of a site which is no private emulator. */
function consent({ name }: LoadedEntry, url: string | undefined): readonly string[] {
  if (name === 'apply') return ['--yes']
  if (name === 'export-site') return ['--location', '/backups', '--yes']
  if (name === 'webhooks delete-all' && url !== undefined)
    return ['--confirm', `Roads.FeatureServer@${new URL(url).host}`]
  return []
}

interface Case {
  readonly exitCode: number
  readonly manifest?: string
  readonly plan?: string
  readonly url?: string
  readonly options?: readonly string[]
  /** Where every report goes, in place of a file. */
  readonly into?: string
}

const has = ({ command }: LoadedEntry, option: string) => option in command.options
/** A rehearsal in place of the site; a private emulator has nothing yet that could drift. */
const rehearsed = (entry: LoadedEntry) =>
  has(entry, 'emulate') && entry.name !== 'drift' ? ['--emulate'] : []
/** Some commands look at the site only where they are asked to. */
const looking = (entry: LoadedEntry) => (has(entry, 'live') ? ['--live'] : [])
/** What is kept about a site has its address, and is read without a look at it. */
const mayLook = (entry: LoadedEntry) => has(entry, 'url') && entry.name !== 'state show'
const isOneShot = ({ name }: LoadedEntry) => /^(?:export-site|webhooks)/.test(name)
const needsPlan = (entry: LoadedEntry) => entry.name === 'show'

/** How a run can end, and how a command gets there; nothing where it cannot. */
const outcomes: Readonly<Record<string, (entry: LoadedEntry) => Case | undefined>> = {
  'goes well': entry => ({ exitCode: 0, options: rehearsed(entry) }),
  'goes well on a site that is there': entry =>
    has(entry, 'url') && !isOneShot(entry) ? { exitCode: 0 } : undefined,
  'has warnings': entry =>
    needsPlan(entry)
      ? undefined
      : { exitCode: entry.name === 'drift' ? 2 : 0, manifest: files.warned, options: rehearsed(entry) },
  'finds changes': entry =>
    has(entry, 'detailed-exitcode')
      ? { exitCode: 2, options: ['--emulate', '--detailed-exitcode'] }
      : undefined,
  'finds that an expectation does not hold': entry =>
    entry.name === 'test' ? { exitCode: 2, manifest: join(folder, 'differs.yaml') } : undefined,
  'is typed wrongly': () => ({ exitCode: 64, options: ['--no-such-option'] }),
  'is given what is not valid': () => ({ exitCode: 65, manifest: files.invalid, plan: files.damaged }),
  'is given what is not there': () => ({
    exitCode: 66,
    manifest: join(folder, 'nowhere.yaml'),
    plan: join(folder, 'nowhere.json'),
  }),
  'cannot reach the site': entry =>
    mayLook(entry) ? { exitCode: 69, url: nobody, options: looking(entry) } : undefined,
  'gets a web page for an answer': entry =>
    mayLook(entry)
      ? { exitCode: isOneShot(entry) ? 4 : 75, url: sites.page, options: looking(entry) }
      : undefined,
  'is asked for a token': entry =>
    mayLook(entry) ? { exitCode: 77, url: sites.token, options: looking(entry) } : undefined,
  'may not use the site': entry =>
    has(entry, 'url')
      ? { exitCode: 78, options: ['--allow-origin', 'https://other.example.org'] }
      : undefined,
  'is given a plan that was altered': entry =>
    needsPlan(entry) || entry.name === 'apply'
      ? { exitCode: 6, manifest: files.altered, plan: files.altered }
      : undefined,
  'is stopped by an edit that nothing can carry out': entry =>
    ['plan', 'apply'].includes(entry.name) ? { exitCode: 6, manifest: files.blocked } : undefined,
  'cannot read the record': entry =>
    ['plan', 'apply', 'drift', 'why', 'state show'].includes(entry.name)
      ? { exitCode: 74, options: ['--state', `file:${files.badState}`] }
      : undefined,
  'cannot write its report': entry => ({
    exitCode: 74,
    into: '/dev/full',
    // Without anything to say a report may be empty.
    manifest: files.warned,
    options: rehearsed(entry),
  }),
  'runs out of time': entry =>
    has(entry, 'poll-interval')
      ? {
          exitCode: 3,
          url: slow?.url ?? '',
          options: ['--timeout', '10s', '--poll-interval', '5s', ...(has(entry, 'wait') ? ['--wait'] : [])],
        }
      : undefined,
}

describe.each(table)('$name', entry => {
  const { suggests, choices } = entry.command.options['format'] as {
    readonly suggests?: readonly string[]
    readonly choices?: readonly string[]
  }
  const places = suggests === undefined ? ['stdout'] : ['stdout', 'a file']
  const forms = (suggests ?? choices ?? []).flatMap(format => places.map(place => [format, place] as const))

  // Only what can happen is tried, so that nothing passes by doing nothing.
  const cells = Object.entries(outcomes).flatMap(([outcome, reach], turn) => {
    const reached = reach(entry)
    // In the short form both places take turns with all pairs of a good outcome and a format, and formats do with the others.
    const isDue = (at: number) =>
      cases(1) > 1 ||
      places.length === 1 ||
      (reached?.exitCode === 0 ? (turn + at + (at >> 1)) % 2 === 0 : at % 4 === turn % 4)
    return forms
      .filter((_, at) => reached?.into !== undefined || isDue(at))
      .filter(([, place]) => reached !== undefined && (reached.into === undefined || place !== 'stdout'))
      .map(form => [outcome, ...form] as const)
  })

  test.each(cells)('that %s writes %s to %s, whole or not at all', async (outcome, format, place) => {
    const ended = outcomes[outcome]?.(entry)
    if (ended === undefined) throw new Error('no such outcome')
    const report = ended.into ?? join(folder, 'report')
    if (ended.into === undefined) writeFileSync(report, earlier)
    const { manifest = files.valid, plan = files.plan, url, options = [] } = ended
    const isPrivate = options.includes('--emulate')
    const args = [
      ...wordsOf(entry, { manifest, plan } as NamedFiles),
      ...consent(entry, isPrivate ? undefined : (url ?? site.url)),
      ...(url === undefined ? [] : ['--url', url]),
      ...options,
      '--format',
      place === 'stdout' ? format : `${format}=${report}`,
    ]
    const host = fakeHost({ environment: someSecrets })
    const exitCode = await run(args, host)
    expect({ args, exitCode, err: exitCode === ended.exitCode ? '' : host.err() }).toEqual({
      args,
      exitCode: ended.exitCode,
      err: '',
    })
    const isInProduct = ['validate', 'test'].includes(entry.name) && exitCode === 65
    if (exitCode > 2 && !isInProduct) expect(host.err()).toMatch(/error|next:|in progress/)
    if (ended.into !== undefined) return expect(host.err()).toContain('/dev/full cannot be written (ENOSPC)')
    const text = place === 'stdout' ? host.out() : existsSync(report) ? readFileSync(report, 'utf8') : ''
    if (place !== 'stdout') expect(host.out()).not.toMatch(/^\s*[{[<]/)
    // A mistake in the command line runs nothing, and so it leaves alone what is there.
    if (exitCode === 64)
      return expect([host.out(), place === 'stdout' ? earlier : text]).toEqual(['', earlier])
    expect(text).not.toBe(earlier)
    if (text !== '' || exitCode === 0) {
      const document = readReport(format, text) as {
        readonly error?: { readonly exitCode: number }
        readonly exitCode?: number
      }
      if (format !== 'json') return
      const schema = document.error === undefined ? schemaOf(entry) : 'failure'
      if (schema !== undefined) expect(schemaComplaints(schema, document)).toEqual([])
      expect((document.error ?? document).exitCode ?? exitCode).toBe(exitCode)
    } else if (schemaOf(entry) !== undefined) expect(format).not.toBe('json')
  })
})
