import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject, JsonValue } from '../../../src/schema/json-schema.js'
import { landform } from '../../support/landform.js'
import { aSmallManifest, changed } from '../../support/manifest-value.js'
import type { hostileSite } from './hostile-site.js'

/** One rendering of a command. */
export interface Rendering {
  /** Where it came about: the command, and its format. */
  readonly slot: string
  readonly format: string
  readonly text: string
}

export type HostileSite = Awaited<ReturnType<typeof hostileSite>>

/** How a command line runs: in this process, or as the program with its pipes. */
export type RunCommand = (
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
) => Promise<{ readonly out: string; readonly err: string }>

const environment = {
  LANDFORM_TOKEN: 'Harmless1-token',
  LANDFORM_ADMIN_PASSWORD: 'Harmless1-password',
  LANDFORM_SECURITY_ANSWER: 'Harmless1-answer',
}

/** Where a text of others may stand in a manifest that is right, and in one that is not. */
const right = [
  '/spec/administrator/description',
  '/spec/administrator/fullName',
  '/spec/folders/0',
  '/spec/extra/x',
]
const wrong = [
  '/metadata/name',
  '/spec/profile',
  '/spec/site/url',
  '/spec/site/version',
  '/spec/license/file',
  '/spec/logLevel',
  '/spec/volumes/BLOB/size',
]

const set = (manifest: JsonObject, [pointer, value]: readonly [string, JsonValue]) =>
  changed(manifest, pointer as `/${string}`, value)

function manifestsOf(text: string, site: HostileSite): Readonly<Record<string, JsonObject>> {
  const base = (
    [
      ['/spec/site/url', site.url('busy')],
      ['/spec/license/file', 'license'],
      ['/spec/site/token', { env: 'LANDFORM_TOKEN' }],
      ['/spec/systemProperties', { a: 1 }],
    ] as const
  ).reduce<JsonObject>(set, aSmallManifest())
  const good = right
    .map(pointer => [pointer, text] as const)
    .reduce<JsonObject>(set, set(base, ['/spec/folders', []]))
  const bad = wrong.map(pointer => [pointer, text] as const).reduce<JsonObject>(set, good)
  return {
    'good.yaml': set(good, ['/spec/systemProperties', { [`k${text}`]: text, other: { [text]: [text] } }]),
    'other.yaml': (
      [
        ['/metadata/name', 'other'],
        ['/spec/site/url', site.url('fresh')],
        ['/spec/administrator/description', text],
      ] as const
    ).reduce<JsonObject>(set, base),
    'bad.yaml': set(bad, ['/spec/administrator/securityQuestion', { [text]: text, question: text }]),
  }
}

const commands = (site: HostileSite, folder: string) =>
  [
    ['validate', 'bad.yaml', 'json sarif github gitlab'],
    [`plan --url ${site.url('fresh')}`, 'good.yaml', 'json markdown html gitlab'],
    [`plan --url ${site.url('ready')} -v`, 'good.yaml', 'json markdown html gitlab'],
    [`plan --url ${site.url('broken')}`, 'good.yaml', 'json markdown'],
    [`apply --yes --timeout 1s --poll-interval 500ms --url ${site.url('busy')}`, 'good.yaml', 'json events'],
    [`apply --yes --url ${site.url('fresh')} --state file:${folder}/state`, 'good.yaml', 'json events'],
    [`status --url ${site.url('busy')}`, 'good.yaml', 'json'],
    [`status --url ${site.url('broken')}`, 'good.yaml', 'json'],
    // A state of its own: the default one belongs to the site that was applied above.
    [`drift --url ${site.url('ready')} --state file:${folder}/other`, 'good.yaml', 'json markdown'],
    ['test', 'site.test.yaml', 'json junit github'],
    ['plan', 'good.yaml other.yaml', 'json markdown'],
    ['status', 'good.yaml other.yaml', 'json'],
    ['apply --yes --timeout 1s --poll-interval 500ms', 'good.yaml other.yaml', 'json events'],
  ] as const

/** Every command that shows what others say, with one text of others in every place, in all its formats. */
export async function renderings(
  text: string,
  site: HostileSite,
  run: RunCommand = here,
): Promise<readonly Rendering[]> {
  const folder = mkdtempSync(join(tmpdir(), 'landform-output-'))
  const made: Rendering[] = []
  try {
    for (const [name, content] of Object.entries(manifestsOf(text, site)))
      writeFileSync(
        join(folder, name),
        `# landform-ignore x: ${text.replaceAll(/[^ -~]/g, '?')}\n${JSON.stringify(content, null, 1)}`,
      )
    const tests = [{ name: text, expect: { exitCode: 5, diagnostics: [{ code: text }] } }]
    const test = { apiVersion: 'landform.dev/v1', kind: 'SiteTest', manifest: './good.yaml', tests }
    writeFileSync(join(folder, 'site.test.yaml'), JSON.stringify(test, null, 1))
    writeFileSync(join(folder, 'license'), 'license')
    site.say(text)
    for (const [command, files, formats] of commands(site, folder)) {
      const words = command.split(' ')
      const targets = formats.split(' ').flatMap(format => {
        const file = join(folder, format)
        return format === 'events' ? ['--events', file] : ['--format', `${format}=${file}`]
      })
      const paths = files.split(' ').map(file => join(folder, file))
      const { out, err } = await run([...words, ...paths, '--format', 'text', ...targets], environment)
      const slot = `${words.join(' ')} ${files}`.replaceAll(/http:\S*\/(\w+)\/admin|file:\S+/g, '$1')
      made.push({ slot: `${slot}, text`, format: out === '' ? 'stderr' : 'text', text: out })
      made.push({ slot: `${slot}, stderr`, format: 'stderr', text: err })
      for (const format of formats.split(' ')) {
        const file = join(folder, format)
        if (!existsSync(file)) continue
        made.push({ slot: `${slot}, ${format}`, format, text: readFileSync(file, 'utf8') })
        rmSync(file)
      }
    }
    return made
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function here(words: readonly string[], environment: Readonly<Record<string, string>>) {
  return landform(words, { environment })
}
