import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import { fakeHost } from '../support/fake-host.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const quickstart = 'examples/quickstart.yaml'

const landform = async (...args: readonly string[]) => {
  const host = fakeHost()
  return { exitCode: await run(args, host), err: host.err() }
}

test.each([
  ['is empty', '', []],
  ['is damaged', '{"$id": ', []],
  ['has other content', '{"of": "others"}', ['deployment.schema.json.old']],
])('init replaces a schema that %s', async (_, text, kept) => {
  const folder = await temporaryFolder()
  const schemas = join(folder, 'schemas')
  mkdirSync(schemas)
  writeFileSync(join(schemas, 'deployment.schema.json'), text)
  const site = ['--name', 'x', '--url', 'https://gis.example.org/admin', '--email', 'a@example.org']
  const { exitCode } = await landform('init', join(folder, 'site.yaml'), '--yes', ...site)
  expect(exitCode).toBe(0)
  expect(JSON.parse(readFileSync(join(schemas, 'deployment.schema.json'), 'utf8'))).toMatchObject({
    title: 'SiteDeployment',
  })
  expect(readdirSync(schemas)).toEqual(['deployment.schema.json', ...kept])
  for (const name of kept) expect(readFileSync(join(schemas, name), 'utf8')).toBe(text)
})

test.each([
  ['plan', '--out='],
  ['apply', '--events='],
  ['validate', '--format=sarif='],
])(
  '%s without a manifest leaves no file for %s, not even that of an earlier run',
  async (command, option) => {
    const folder = await temporaryFolder()
    for (const file of [join(folder, 'new'), join(folder, 'old')]) {
      if (file.endsWith('old')) writeFileSync(file, 'of an earlier run')
      expect(await landform(command, 'nowhere.yaml', option + file)).toMatchObject({ exitCode: 66 })
      expect(existsSync(file)).toBe(false)
    }
  },
)

test('a report named by a link is written to its target, and the link stays', async () => {
  const folder = await temporaryFolder()
  const [report, link] = [join(folder, 'report'), join(folder, 'link')]
  writeFileSync(report, 'of an earlier run')
  symlinkSync(report, link)
  expect(await landform('validate', quickstart, '--format', `json=${link}`)).toMatchObject({ exitCode: 0 })
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ summary: { errors: 0 } })
})

test('a report never overwrites a manifest of the same check', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'site.yaml')
  const text = readFileSync(quickstart, 'utf8')
  writeFileSync(file, text)
  const { exitCode } = await landform(
    'validate',
    join(folder, 'none/*.yaml'),
    folder,
    '--format',
    `json=${file}`,
  )
  expect([exitCode, readFileSync(file, 'utf8')]).toEqual([64, text])
})

test('no report overwrites the base of a manifest', async () => {
  const folder = await temporaryFolder()
  cpSync('examples/environments', folder, { recursive: true })
  const base = join(folder, 'base.yaml')
  const site = join(folder, 'production', 'site.yaml')
  mkdirSync(join(folder, '.git'))
  const before = readFileSync(base, 'utf8')
  expect((await landform('validate', site, '--format', `json=${base}`)).exitCode).toBe(64)
  expect(readFileSync(base, 'utf8')).toBe(before)
})
