import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import type { EmulatorOptions } from '../../src/emulator/emulated-site.js'
import { parseBuiltInRules } from '../../src/emulator/faults/notation.js'
import { anEmulator } from '../support/emulator.js'
import { fakeHost } from '../support/fake-host.js'
import { root } from '../support/manifests.js'
import { someSecrets } from '../support/some-secrets.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { virtualClock } from '../support/virtual-clock.js'

/*
 * Stories about a site and its record, each a readable page: `test/transcripts/walks/record-*.md`.
 * `UPDATE_GOLDEN=1 npm test` rewrites them.
 */
const address = 'http://127.0.0.1:4001/arcgis/admin'
const dayMs = 24 * 60 * 60_000

/** A site, the folder of its manifest, and the page of the story. */
async function aStory(name: string, title: string, options: EmulatorOptions) {
  const clock = virtualClock()
  const emulator = await anEmulator({ now: clock.now, stageMs: 0, basePath: '/arcgis/admin', ...options })
  const folder = await temporaryFolder()
  const { port, origin } = new URL(emulator.url)
  const lines = [`# ${title}`]
  const settle = (text: string) =>
    text
      .replaceAll(`${folder}/`, '')
      .replaceAll(port, '4001')
      .replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256:DIGEST')
      .replaceAll(/127\.0\.0\.1_\d+-[0-9a-f]+/g, '127.0.0.1_4001-KEY')
      .replaceAll(/\b[0-9a-f]{24}\b/g, 'NONCE')
      .replaceAll(/process \d+ on [\w.-]+/g, 'process N on HOST')
  const landform = async (line: string) => {
    const host = { ...fakeHost({ environment: { ...someSecrets, USER: 'ada' }, columns: 80, settle }), clock }
    const words = [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word)
    const inFolder = words.map(word =>
      /\.(?:yaml|json|md|html)$/.test(word) ? word.replace(/[\w.-]+$/, file => join(folder, file)) : word,
    )
    const exitCode = await run(
      inFolder.map(word => word.replace('4001', port)),
      host,
    )
    return { exitCode, out: host.out(), said: settle(host.screen()) }
  }
  const site = join(folder, 'site.yaml')
  const story = {
    emulator,
    folder,
    /** Lets several days pass. */
    days: (count: number) => clock.sleep(count * dayMs, new AbortController().signal),
    minutes: (count: number) => clock.pass(count * 60_000),
    tell: (text: string) => void lines.push(text),
    edit(from: string | RegExp, to: string, file = site) {
      const text = readFileSync(file, 'utf8')
      expect(text).toMatch(from)
      writeFileSync(file, text.replace(from, to))
    },
    landform,
    async types(line: string, exitCode = 0) {
      const ended = await landform(line)
      lines.push(['```text', `$ landform ${line}`, `${ended.said}[exit ${ended.exitCode}]`, '```'].join('\n'))
      expect([line, ended.exitCode]).toEqual([line, exitCode])
      return ended
    },
    /** Sends a request to the site as somebody else. */
    async post(path: string, fields: Readonly<Record<string, string>>) {
      const signIn = new URLSearchParams({
        username: 'siteadmin',
        password: someSecrets.LANDFORM_ADMIN_PASSWORD,
        f: 'json',
      })
      const issued = await fetch(`${origin}/arcgis/sharing/rest/generateToken`, {
        method: 'POST',
        body: signIn,
      })
      const { token = '' } = (await issued.json()) as { readonly token?: string }
      const body = new URLSearchParams({ ...fields, token, f: 'json' })
      return (await fetch(`${emulator.url}${path}`, { method: 'POST', body })).json()
    },
    end() {
      const file = join(root, 'test/transcripts/walks', `record-${name}.md`)
      const text = `${lines.join('\n\n')}\n`
      if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text)
      expect(text).toBe(readFileSync(file, 'utf8'))
    },
  }
  const { version = '11.2' } = options
  const described = `--name production --url ${address} --service-version ${version} --email admin@example.org --storage-class gp3`
  const written = await landform(`init site.yaml ${described} --yes`)
  expect(written.exitCode).toBe(0)
  cpSync('examples/licenses', join(folder, 'licenses'), { recursive: true })
  return story
}

type Story = Awaited<ReturnType<typeof aStory>>

/** Applies the manifest before the story begins. */
async function apply({ landform }: Story) {
  expect((await landform('apply site.yaml --yes --quiet')).exitCode).toBe(0)
}

test('a lost record is the first thing that every command reports, and the manifest restores it', async () => {
  const story = await aStory('lost', 'The record is lost', { fidelity: 'field' })
  const { tell, types, edit } = story
  await apply(story)
  tell(
    'A site was created from `site.yaml`. It reports its profile and its log level, as real sites do. Then the folder with the state was lost, and somebody edited six volumes.',
  )
  rmSync(join(story.folder, '.landform'), { recursive: true })
  for (const name of [
    'RELATIONAL_PRIMARY',
    'RELATIONAL_SECONDARY',
    'IN_MEM_CACHE',
    'QUEUE',
    'INDEXER',
    'SHARING',
  ])
    edit(new RegExp(`(${name}:\\n {6}size:) 16Gi`), '$1 32Gi')
  const planned = await types('plan site.yaml')
  expect(planned.said).not.toContain('Every comparable field matches')
  expect(planned.said.split('\n')[3]).toContain('30 of 33 fields cannot be compared')
  tell('`--detailed-exitcode` ends with 2, and Markdown, HTML and JSON say the same.')
  const quiet = await story.landform('plan site.yaml --detailed-exitcode')
  expect(quiet.exitCode).toBe(2)
  for (const format of ['markdown', 'html', 'json']) {
    const { out } = await story.landform(`plan site.yaml --format ${format}`)
    expect([format, out]).toEqual(
      [format, expect.stringContaining('30 of 33 fields cannot be compared')].map((one, at) =>
        format === 'json' && at === 1 ? expect.stringContaining('"unrecorded": 30') : one,
      ),
    )
    expect([format, out.replaceAll('&#45;', '-')]).toEqual([
      format,
      expect.stringMatching(/landform adopt \S*site\.yaml/),
    ])
  }
  const applied = await types('apply site.yaml --yes')
  expect(applied.said).not.toMatch(/success/i)
  await types('drift site.yaml')
  tell(
    'The edits are taken back, because nobody made these changes on the site. Then the manifest is recorded as it is.',
  )
  edit(/size: 32Gi(?=\n.*\n.*(?:postgres|ignite|rabbitmq|elastic|sharing))/g, 'size: 16Gi')
  await types(`adopt site.yaml --reason 'the state was lost; the volumes were checked in the cluster'`)
  expect((await types('plan site.yaml --detailed-exitcode')).said).toContain('ada')
  await types('drift site.yaml')
  await types('state show site.yaml')
  story.end()
})

test('a site that others configured is adopted from its existing manifest', async () => {
  const story = await aStory('adopted', 'A site is adopted from its manifest', {
    configured: true,
    fidelity: 'field',
  })
  const { tell, types, edit } = story
  tell(
    'Somebody configured this site long ago. Its manifest was written by hand, and it says nothing of the log level.',
  )
  edit('profile: standard-availability', 'profile: development')
  await types('plan site.yaml', 6)
  tell('The site itself reports some fields. They are compared first.')
  await types('adopt site.yaml', 6)
  expect(story.emulator.world().counters.configure.received).toBe(0)
  edit('profile: development', 'profile: standard-availability')
  await types('adopt site.yaml')
  tell(
    'From then on, an edit of a volume is noticed, and the log level that the manifest never had blocks nothing.',
  )
  await types('plan site.yaml')
  edit(/(QUEUE:\n {6}size:) 16Gi/, '$1 64Gi')
  await types('plan site.yaml', 6)
  story.end()
})

test('a renewed license is asserted once, and there is no drift for three months', async () => {
  const story = await aStory('license', 'The license is renewed', {})
  const { tell, types, days } = story
  await apply(story)
  tell(
    'A site was created in March. In June its license is renewed: an administrator imports the new file on the site, and puts it into the repository.',
  )
  await days(90)
  writeFileSync(join(story.folder, 'licenses/site.json'), '{"renewed":true}')
  await types('plan site.yaml', 6)
  tell('`--ignore-immutable` would let one run pass. Whoever imported the license says so instead, once.')
  await types('adopt site.yaml --field spec.license.file', 64)
  await story.landform('plan site.yaml --out plan.json --ignore-immutable spec.license')
  await types(`adopt site.yaml --field spec.license.file --reason 'renewed in June, ticket 4711'`)
  tell('A plan that was saved before does not know of it.')
  await types('apply plan.json --manifest site.yaml', 6)
  await types('plan site.yaml --detailed-exitcode')
  tell('The nightly job is quiet from then on, here on thirteen Sundays, which are three months.')
  for (let week = 0; week < 13; week += 1) {
    await days(7)
    expect((await story.landform('drift site.yaml')).exitCode).toBe(0)
  }
  await types('drift site.yaml')
  await types('state show site.yaml')
  story.end()
})

test('a volume that was enlarged on the site is asserted once the site agrees', async () => {
  const story = await aStory('volume', 'A volume is grown on the site', {
    version: '11.5',
    fidelity: 'field',
  })
  const { tell, types, edit, post } = story
  await apply(story)
  tell('The index needs room. The plan of a larger volume names the operation of the service.')
  edit(/(INDEXER:\n {6}size:) 16Gi/, '$1 64Gi')
  await types('plan site.yaml', 6)
  tell('This site reports its volumes. As long as it is not grown, nobody can say that it is.')
  await types(`adopt site.yaml --field spec.volumes.INDEXER --reason 'more layers'`, 6)
  const grown = { volumesConfig: [{ component: 'INDEXER', size: '64Gi' }] }
  expect(await post('/data/41c0/config/volumes/edit', { volumesConfig: JSON.stringify(grown) })).toEqual({
    status: 'success',
  })
  tell('An administrator calls `data/41c0/config/volumes/edit`. Now the same command records it.')
  await types(`adopt site.yaml --field spec.volumes.INDEXER --reason 'more layers'`)
  await types('plan site.yaml --detailed-exitcode')
  await types('drift site.yaml')
  story.end()
})

test('a placement policy that was removed from the manifest is listed, and both next steps end the drift', async () => {
  const policy =
    '  upgrade: { podPlacementPolicy: { tolerations: [{ key: dedicated, operator: Exists, effect: NoSchedule }] } }\n'
  const story = await aStory('policy', 'The placement policy leaves the manifest', {})
  const { tell, types, edit } = story
  edit(/$/, policy)
  await apply(story)
  tell('A policy was applied. Somebody removes the section from the manifest.')
  edit(policy, '')
  const planned = await types('plan site.yaml')
  expect(planned.said).toContain('spec.upgrade')
  expect((await story.landform('plan site.yaml --detailed-exitcode')).exitCode).toBe(2)
  await types('drift site.yaml', 2)
  tell('One way is to leave it on the site.')
  await types(`adopt site.yaml --field spec.upgrade --reason 'the operators of the cluster set it'`)
  await types('drift site.yaml')
  await types('plan site.yaml --detailed-exitcode')
  tell(
    'The other way is to remove it from the site: an empty policy is applied, and then the section may go.',
  )
  edit(/$/, '  upgrade: { podPlacementPolicy: {} }\n')
  await types('apply site.yaml --yes --quiet')
  edit('  upgrade: { podPlacementPolicy: {} }\n', '')
  await types('drift site.yaml')
  await types('plan site.yaml --detailed-exitcode')
  story.end()
})

test('an upgrade of the site is rehearsed', async () => {
  const story = await aStory('upgrade', 'An upgrade is rehearsed', {
    configured: true,
    version: '11.2',
    fidelity: 'field',
    faults: parseBuiltInRules(['site@90s=upgrade,version:11.5']),
  })
  const { tell, types, edit } = story
  tell(
    "The emulator plays a site that was configured long ago, with the account of the manifest, and upgrades it after 90 seconds: `landform emulate --scenario already-configured --fidelity field --fault 'site@90s=upgrade,version:11.5'`.",
  )
  await types('adopt site.yaml')
  await story.landform('plan site.yaml --out plan.json')
  story.minutes(2)
  tell('The site was upgraded. A plan that was reviewed before is stale.')
  await types('apply plan.json --manifest site.yaml', 6)
  await types('plan site.yaml')
  tell('The manifest follows, and everything else is as it was.')
  edit('version: "11.2"', 'version: "11.5"')
  await types('plan site.yaml --detailed-exitcode')
  await types('drift site.yaml')
  expect(story.emulator.world().counters.configure.received).toBe(0)
  story.end()
})
