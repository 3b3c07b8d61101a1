import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import { writeExample } from '../support/example-copy.js'
import { fakeHost } from '../support/fake-host.js'
import { answeringSite, json } from '../support/http-double.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const password = 'Ein-Passw0rt-das-niemand-sieht'
const environment = {
  LANDFORM_ADMIN_PASSWORD: password,
  LANDFORM_SECURITY_ANSWER: 'Kapitän der Nordsee',
  LANDFORM_TOKEN: 'a-token-of-a-site-4711',
}

/** A root resource that repeats a text in every field that can have one. */
function echoing(state: string, text: string): object {
  const stages = [{ name: text, state: text, startTime: 0, lastUpdated: 1 }]
  const status = { state, message: `with ${text}`, warnings: [text], stages }
  return { fullVersion: `11.2 ${text}`, currentVersion: 11.2, resources: [], status }
}

/** A folder with a manifest that another process sent to the site. */
async function folderOfManifest() {
  const folder = await temporaryFolder()
  return { folder, file: writeExample(folder) }
}

/** The texts of all files in a folder except the manifest. */
function keptIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name !== 'site.yaml')
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
}

const commands: readonly (readonly string[])[] = [
  ['status', 'FILE', '-v'],
  ['status', 'FILE', '--format', 'json'],
  ['status', 'FILE', '--wait', '--timeout', '10s'],
  ['plan', 'FILE', '-v'],
  ['drift', 'FILE', '-v'],
  ['apply', 'FILE', '--yes', '-v', '--timeout', '10s', '--events', 'EVENTS'],
]

describe('if a site repeats a password that another process sent', () => {
  const nothingOfIt = async (words: readonly string[], url: string) => {
    const { folder, file } = await folderOfManifest()
    const typed = words.map(word => ({ FILE: file, EVENTS: join(folder, 'events') })[word] ?? word)
    const host = fakeHost({ environment })
    await run([...typed, '--url', url], host)
    const seen = [host.out(), host.err(), ...keptIn(folder)].join('\n')
    expect(seen).toContain('***')
    expect(seen.toLowerCase()).not.toContain(password.slice(0, 8).toLowerCase())
  }

  test.each(
    commands.flatMap(words =>
      // A configuration in progress leaves nothing to compare.
      (words[0] === 'drift' ? ['failed'] : ['in_progress', 'failed']).map(
        state => [words.join(' '), state, words] as const,
      ),
    ),
  )('%s of a site that is %s neither shows nor stores it', async (_, state, words) => {
    const site = await answeringSite(json({}), json(echoing(state, password)))
    await nothingOfIt(words, site.url)
  })

  const refusal = json({ error: { code: 400, message: `no: ${password}`, details: [password] } })
  const confirmed = (host: string) => ['--confirm', `Roads.FeatureServer@${host}`]
  test.each<[string, (host: string) => readonly string[]]>([
    ['export-site', () => ['export-site', 'FILE', '--location', '/b', '--yes']],
    [
      'webhooks delete-all',
      host => ['webhooks', 'delete-all', 'Roads.FeatureServer', 'FILE', ...confirmed(host)],
    ],
    ['status', () => ['status', 'FILE']],
    ['plan', () => ['plan', 'FILE']],
  ])('a rejection of %s does not show it', async (_, wordsFor) => {
    const site = await answeringSite(refusal, refusal)
    await nothingOfIt(wordsFor(site.host), site.url)
  })

  test('the stored reason of a rejected update does not contain it', async () => {
    const ready = json({ ...echoing('ready', password), fullVersion: '11.2.0' })
    const site = await answeringSite(refusal, ready)
    await nothingOfIt(['apply', 'FILE', '--yes', '-v'], site.url)
    expect(site.posts().length).toBe(1)
  })
})

test.each(
  commands
    .filter(([name]) => name !== 'apply')
    .flatMap(words => ['in_progress', 'ready'].map(state => [words.join(' '), state, words] as const)),
)(
  'missing secrets change only which texts are withheld in %s of a site that is %s',
  async (_, state, words) => {
    const site = await answeringSite(
      json({}, 404),
      json({ ...echoing(state, 'work'), fullVersion: '11.2.0' }),
    )
    const outcome = async (variables: Readonly<Record<string, string>>) => {
      const { folder, file } = await folderOfManifest()
      if (Object.keys(variables).length === 0) rmSync(join(folder, 'licenses/site.json'))
      const typed = words.map(word => ({ FILE: file, EVENTS: join(folder, 'events') })[word] ?? word)
      const host = fakeHost({ environment: variables })
      const code = await run([...typed, '--url', site.url], host)
      return {
        code,
        said: host
          .out()
          .replaceAll(folder, '')
          .replaceAll(/sha256:\w+/g, '')
          .replaceAll(/"(?:with work|work|\[withheld \d+\])"/g, '"words"')
          .replaceAll(/ +/g, ' '),
      }
    }
    const { LANDFORM_TOKEN } = environment
    // A plan is bound to the license, which is not one of these secrets.
    const reads = words[0] === 'status' ? {} : { LANDFORM_TOKEN }
    expect(await outcome(reads)).toEqual(await outcome(environment))
  },
)

describe('a process that lacks a secret that the site repeats', () => {
  const others = { LANDFORM_TOKEN: environment.LANDFORM_TOKEN }
  const isTerminal = (words: readonly string[]) => !words.includes('json')

  test.each(
    [...commands, ['plan', 'FILE', '--format', 'json']].flatMap(words =>
      ['in_progress', 'failed'].map(state => [words.join(' '), state, words] as const),
    ),
  )(
    '%s of a site that is %s shows it on the terminal only, and does not store it',
    async (_, state, words) => {
      const site = await answeringSite(json({}), json(echoing(state, password)))
      const { folder, file } = await folderOfManifest()
      const typed = words.map(word => ({ FILE: file, EVENTS: join(folder, 'events') })[word] ?? word)
      const host = fakeHost({ environment: others })
      await run([...typed, '--url', site.url], host)
      expect(keptIn(folder).join('\n')).not.toContain(password)
      if (!isTerminal(words)) expect(host.out()).not.toContain(password)
      if (words.includes('EVENTS') && state === 'in_progress')
        expect(keptIn(folder).join('\n')).toContain('[withheld ')
    },
  )

  test('the terminal has the text, and the report of the same run a placeholder', async () => {
    const site = await answeringSite(json({}), json(echoing('in_progress', 'a word')))
    const { folder, file } = await folderOfManifest()
    const report = join(folder, 'status.json')
    const host = fakeHost({ environment: others })
    await run(['status', file, '--url', site.url, '--format', 'text', '--format', `json=${report}`], host)
    expect(host.out()).toContain('with a word')
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
      message: expect.stringMatching(/^\[withheld \d+\]$/),
    })
  })

  test('plan and drift show only a numeric build', async () => {
    const root = json({ ...echoing('ready', 'x'), fullVersion: '11.2.0', info: { build: password } })
    const site = await answeringSite(json({}), root)
    const { file } = await folderOfManifest()
    for (const words of ['plan', 'drift']) {
      const host = fakeHost({ environment: others })
      await run([words, file, '--url', site.url, '--format', 'json'], host)
      expect(host.out()).not.toContain(password)
    }
  })

  test.each(['export-site', 'adopt'])(
    '%s with an address redacts the password of the administrator',
    async command => {
      const refusal = json({ error: { code: 400, message: `no: ${password}`, details: [password] } })
      const site = await answeringSite(refusal, refusal)
      const host = fakeHost({ environment })
      const { folder } = await folderOfManifest()
      const more =
        command === 'adopt' ? ['-', '--state', `file:${folder}/state`] : ['--location', '/b', '--yes']
      await run([command, '--url', site.url, ...more], host)
      expect(host.err()).toContain('***')
      expect(host.out() + host.err()).not.toContain(password)
    },
  )

  test('with an address and no known secrets, the report has a placeholder', async () => {
    const refusal = json({ error: { code: 400, message: `no: ${password}`, details: null } })
    const site = await answeringSite(refusal, json({ ...echoing('ready', 'x'), fullVersion: '11.2.0' }))
    const host = fakeHost({ environment: {} })
    const asked = ['export-site', '--url', site.url, '--location', '/b', '--yes', '--format', 'json']
    await run(asked, host)
    expect(host.out()).toContain('[withheld ')
    expect(host.out()).not.toContain(password)
    expect(host.err()).toContain(password)
  })
})

test('the failure message of a configuration that another run sent is not stored: its secrets may differ', async () => {
  let root = { ...echoing('not_configured', ''), resources: ['orgs'], fullVersion: '11.2.0' }
  let fails = false
  const status = { state: 'not_configured', warnings: [], stages: [] }
  root = { ...root, status } as typeof root
  const site = await answeringSite(
    () => {
      root = { ...root, status: { ...status, state: 'in_progress' } } as typeof root
      return json(root)
    },
    () => {
      const answer = json(root)
      // The plan was made while the site was in progress.
      if (fails)
        root = { ...root, status: { ...status, state: 'failed', message: `no ${password}` } } as typeof root
      return answer
    },
  )
  const { folder, file } = await folderOfManifest()
  const apply = (variables: Readonly<Record<string, string>>, ...more: readonly string[]) =>
    run(
      ['apply', file, '--yes', '--no-license-check', '--url', site.url, ...more],
      fakeHost({ environment: variables }),
    )
  expect(await apply(environment, '--detach')).toBe(3)
  fails = true
  const replaced = { ...environment, LANDFORM_ADMIN_PASSWORD: 'Another-Passw0rd' }
  expect(await apply(replaced)).toBe(5)
  const kept = keptIn(folder).join('\n')
  expect(kept).toContain('"reason": "[withheld]"')
  expect(kept).not.toContain(password)
})
