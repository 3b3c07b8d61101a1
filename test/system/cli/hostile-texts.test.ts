import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stageNames } from '../../../src/contract/responses.js'
import type { JsonObject, JsonValue } from '../../../src/schema/json-schema.js'
import type { JsonPointer } from '../../../src/schema/pointer.js'
import { isAtLength } from '../../support/cases.js'
import { readReport } from '../../support/command-forms.js'
import { hostileMarkup } from '../../support/hostile-markup.js'
import { unprintable } from '../../support/hostile-texts.js'
import { type HttpDouble, http, httpDouble, type ReceivedRequest } from '../../support/http-double.js'
import { landform } from '../../support/landform.js'
import { aSmallManifest, changed } from '../../support/manifest-value.js'
import { htmlOf, treeOf } from '../../support/markup-tree.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

/** The maximum length of a comment on GitHub. */
const maxMarkdown = 65_536
const long = 'x`<b>|\n::error::'.repeat(6000)
const texts = isAtLength
  ? [...hostileMarkup, long]
  : [...hostileMarkup.filter((_, at) => at % 90 === 0), long]

/** A site that returns one text in every place, in four states, each below its own path. */
let said = ''
let server: HttpDouble
let folder = ''
const siteUrl = (way: string) => `http://${server.host}/${way}/admin`

function siteRoot(state: string): JsonObject {
  const stages = [...stageNames, said].map(name => ({
    name,
    state: name === said ? said : 'in_progress',
    lastUpdated: 1,
    startTime: 1,
  }))
  const status = { state, message: said, warnings: [said, { [said]: said }], stages }
  return { fullVersion: said, resources: [said], currentVersion: 11.2, status, info: { build: said } }
}

function answer(way: string, method: string, path: string): readonly [number, JsonValue] {
  const error = { error: { code: 500, message: said, details: [said, { [said]: said }] } }
  const known = { [said]: said, properties: { [said]: said } }
  if (way === 'busy') return path === '' ? [200, siteRoot('in_progress')] : [404, error]
  if (way === 'ready') return [200, path === '' ? siteRoot('ready') : known]
  if (way === 'fresh' && method === 'GET')
    return [200, { ...siteRoot(''), status: { state: 'not_configured', message: said, stages: [] } }]
  return [500, error]
}

beforeAll(async () => {
  folder = await temporaryFolder()
  const reply = ({ method, path: target }: ReceivedRequest) => {
    const [, way = '', path = ''] = /^\/(\w+)\/admin\/?([^?]*)/.exec(target) ?? []
    const [status, body] = answer(way, method, path)
    return http(status, JSON.stringify(body), 'content-type: application/json\r\n')
  }
  server = await httpDouble([{ reply }])
})

type Change = readonly [JsonPointer, JsonValue]
const change = (changes: readonly Change[], manifest: JsonObject) =>
  changes.reduce((now, [pointer, value]) => changed(now, pointer, value), manifest)

/** Returns the files of a user with a foreign text in every place that allows one, and in some that do not. */
function filesWith(text: string): Readonly<Record<string, JsonObject>> {
  const base = change(
    [
      ['/spec/site/url', siteUrl('busy')],
      ['/spec/license/file', 'license'],
      ['/spec/site/token', { env: 'LANDFORM_TOKEN' }],
      ['/spec/systemProperties', { [`k${text}`]: text, other: { [text]: [text] } }],
      ['/spec/administrator/description', text],
      ['/spec/administrator/fullName', text],
      ['/spec/folders', [text]],
      ['/spec/extra', { x: text }],
    ],
    aSmallManifest(),
  )
  const bad = [
    '/metadata/name',
    '/spec/profile',
    '/spec/site/url',
    '/spec/site/version',
    '/spec/license/file',
  ]
  const wrong = [...bad, '/spec/logLevel', '/spec/volumes/BLOB/size'] as readonly JsonPointer[]
  const question = { [text]: text, question: text }
  return {
    'good.yaml': base,
    'other.yaml': change(
      [
        ['/metadata/name', 'other'],
        ['/spec/site/url', siteUrl('fresh')],
      ],
      base,
    ),
    'bad.yaml': change(
      [...wrong.map(pointer => [pointer, text] as const), ['/spec/administrator/securityQuestion', question]],
      base,
    ),
    'site.test.yaml': {
      apiVersion: 'landform.dev/v1',
      kind: 'SiteTest',
      manifest: './good.yaml',
      tests: [{ name: text, expect: { exitCode: 5, diagnostics: [{ code: text }] } }],
    },
  }
}

const commands = (place: string) =>
  [
    ['validate', 'bad.yaml', 'json sarif github gitlab'],
    [`plan --url ${siteUrl('fresh')}`, 'good.yaml', 'json markdown html gitlab'],
    [`plan --url ${siteUrl('ready')} -v`, 'good.yaml', 'json markdown html gitlab'],
    [`plan --url ${siteUrl('broken')}`, 'good.yaml', 'json markdown'],
    [`apply --yes --timeout 1s --poll-interval 500ms --url ${siteUrl('busy')}`, 'good.yaml', 'json events'],
    [`apply --yes --url ${siteUrl('fresh')} --state file:${place}/state`, 'good.yaml', 'json events'],
    [`status --url ${siteUrl('busy')}`, 'good.yaml', 'json'],
    [`status --url ${siteUrl('broken')}`, 'good.yaml', 'json'],
    [`drift --url ${siteUrl('ready')} --state file:${place}/other`, 'good.yaml', 'json markdown'],
    ['test', 'site.test.yaml', 'json junit github'],
    ['plan', 'good.yaml other.yaml', 'json markdown'],
    ['status', 'good.yaml other.yaml', 'json'],
    ['apply --yes --timeout 1s --poll-interval 500ms', 'good.yaml other.yaml', 'json events'],
  ] as const

interface Rendering {
  readonly slot: string
  readonly format: string
  readonly text: string
}

/** Runs every command that shows foreign text, with one text in every place. Returns its output in all formats. */
async function renderings(text: string): Promise<readonly Rendering[]> {
  const place = mkdtempSync(join(folder, 'texts-'))
  const comment = `# landform-ignore x: ${text.replaceAll(/[^ -~]/g, '?')}\n`
  said = text
  writeFileSync(join(place, 'license'), 'license')
  for (const [name, content] of Object.entries(filesWith(text)))
    writeFileSync(join(place, name), `${comment}${JSON.stringify(content, null, 1)}`)
  const environment = {
    LANDFORM_TOKEN: 'Harmless1-token',
    LANDFORM_ADMIN_PASSWORD: 'Harmless1-password',
    LANDFORM_SECURITY_ANSWER: 'Harmless1-answer',
  }
  const made: Rendering[] = []
  for (const [at, [command, files, formats]] of commands(place).entries()) {
    const fileOf = (format: string) => join(place, `${at}.${format}`)
    const targets = formats
      .split(' ')
      .flatMap(format =>
        format === 'events' ? ['--events', fileOf(format)] : ['--format', `${format}=${fileOf(format)}`],
      )
    const paths = files.split(' ').map(file => join(place, file))
    const { out, err } = await landform([...command.split(' '), ...paths, '--format', 'text', ...targets], {
      environment,
    })
    const slot = `${command.split(' ', 1)} ${at}`
    made.push({ slot, format: 'text', text: out }, { slot, format: 'stderr', text: err })
    for (const format of formats.split(' '))
      if (existsSync(fileOf(format))) made.push({ slot, format, text: readFileSync(fileOf(format), 'utf8') })
  }
  return made
}

/** Returns the elements of a page or a comment, without depth and numbers, which differ between rows. */
function elementsOf({ format, text }: Pick<Rendering, 'format' | 'text'>): readonly string[] {
  const page = format === 'html' ? text : format === 'markdown' ? htmlOf(text) : ''
  const elements = page === '' ? [] : treeOf(page).elements
  return elements.map(element => element.trim().replaceAll(/[0-9a-f]{7,}|\d+/g, '0'))
}

/** Lists the places where a rendering is unsafe or malformed; `harmless` has the elements that the format itself uses. */
function listErrors(
  { format, text }: Omit<Rendering, 'slot'>,
  harmless: ReadonlySet<string>,
): readonly string[] {
  const isCommands = format === 'github'
  const lines = text.split('\n')
  return [
    ...lines.filter(line => unprintable.test(line)).map(line => `raw: ${JSON.stringify(line)}`),
    ...lines.filter(line => /##\w*\[/.test(line) || (!isCommands && /^\s*::/.test(line))),
    ...(isReadable(format, text) ? [] : ['it cannot be read']),
    ...elementsOf({ format, text }).filter(element => !harmless.has(element)),
    ...(format === 'markdown' && text.length > maxMarkdown ? [`${text.length} characters`] : []),
  ]
}

function isReadable(format: string, text: string): boolean {
  try {
    if (format === 'events') for (const line of text.split('\n').slice(0, -1)) JSON.parse(line)
    else if (!['stderr', 'text'].includes(format)) readReport(format, text)
    return true
  } catch {
    return false
  }
}

const harmless = new Set<string>()
let shown = 0

beforeAll(async () => {
  for (const text of ['harmless', 'more', ''])
    for (const rendering of await renderings(text)) {
      if (rendering.text.includes('harmless')) shown += 1
      for (const element of elementsOf(rendering)) harmless.add(element)
    }
})

test('foreign text is shown in most renderings', () => {
  expect(shown).toBeGreaterThanOrEqual(40)
})

test.each(texts.map(text => [JSON.stringify(text.slice(0, 40)), text]))(
  '%s in a manifest or a site stays text in every format of every command',
  async (_, text) => {
    for (const rendering of await renderings(text))
      expect([rendering.slot, rendering.format, ...listErrors(rendering, harmless)]).toEqual([
        rendering.slot,
        rendering.format,
      ])
  },
)

/** Renderings without any escaping. */
const careless: Readonly<Record<string, (text: string) => string>> = {
  text: text => `error: ${text}\n`,
  json: text => `{ "message": "${text}" }\n`,
  events: text => `{ "message": "${text}" }\n`,
  sarif: text => `{ "version": "2.1.0", "runs": [{ "message": "${text}" }] }\n`,
  junit: text => `<testsuite name="${text}"></testsuite>\n`,
  markdown: text => `- **x**: ${text}\n`,
  html: text => `<!doctype html><title>x</title><p title="${text}">${text}</p>\n`,
}

test.each(Object.entries(careless))('a careless rendering as %s is detected', (format, render) => {
  const own = new Set(elementsOf({ format, text: render('harmless') }))
  expect(hostileMarkup.some(text => listErrors({ format, text: render(text) }, own).length > 0)).toBe(true)
})
