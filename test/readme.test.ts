import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { globSync } from 'tinyglobby'
import { fillBoxes } from '../scripts/reference/unpublished.js'
import { loadCommands } from '../src/cli/run.js'
import { loadManifest } from '../src/manifest/load-manifest.js'
import { exitCodes, severityOrderWords } from '../src/report/exit-code.js'
import { root } from './support/manifests.js'

const commands = await loadCommands()

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const map = readFileSync(join(root, 'src', 'README.md'), 'utf8')
const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
const decisionPages = readdirSync(join(root, 'docs', 'decisions'))
const readDecisions = (page: string) => readFileSync(join(root, 'docs', 'decisions', page), 'utf8')
const mapOfTests = readFileSync(join(root, 'test', 'README.md'), 'utf8')
const howTo = (page: string) => readFileSync(join(root, 'docs', 'how-to', `${page}.md`), 'utf8')

test('the manifest in the README is valid without a diagnostic', () => {
  const [, manifest = ''] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? []
  expect(manifest).not.toBe('')
  expect(loadManifest({ name: 'README.md', bytes: Buffer.from(manifest) }).diagnostics).toEqual([])
})

test('the page about programs has the example unchanged', () => {
  const example = readFileSync(join(root, 'examples/library/apply.mjs'), 'utf8')
  expect(howTo('library')).toContain(`\n\`\`\`js\n${example}\`\`\`\n`)
})

test('the page about recovery has a next step for every exit code of apply', () => {
  const told = [...howTo('recover').matchAll(/^\| (\[?`\d[^|]*) \|/gm)].flatMap(
    ([, codes = '']) => codes.replace(/\(.*/, '').match(/\d+/g) ?? [],
  )
  const { changes: _, brokenPipe: __, ...ofApply } = exitCodes
  expect(told.map(Number).toSorted((a, b) => a - b)).toEqual(Object.values(ofApply))
})

test('the page about many sites has the exit codes in their order', () => {
  expect(howTo('many-sites')).toContain(`in the order ${severityOrderWords};`)
})

test('the README lists commands that exist, and links to the others', () => {
  const known = commands.map(({ name }) => name)
  const listed = [...readme.matchAll(/^\| `landform ([\w-]+(?: [\w-]+)?)/gm)].map(([, name = '']) => name)
  expect(listed.length).toBeGreaterThanOrEqual(8)
  expect(listed.filter(name => !known.includes(name))).toEqual([])
  expect(readme).toContain('(docs/reference/cli.md)')
  expect(readme).toContain('(docs/reference/exit-codes.md)')
})

test('the README names the product and says that Landform was never tried against the real service', () => {
  const [, first = ''] = /^# Landform\n\n([^.]+\.)/.exec(readme) ?? []
  expect(first).toContain('ArcGIS Enterprise on Kubernetes')
  expect(readme.split('\n## ')[0]).toContain('not affiliated')
  expect(readme.split('\n## ')[2]?.replaceAll('\n', ' ')).toContain('never tried against the real service')
})

test('the boxes about unpublished parts have the text of one source', () => {
  const folder = 'docs/how-to'
  const pages = ['docs/fleet.md', ...readdirSync(join(root, folder)).map(name => `${folder}/${name}`)]
  const texts = pages.map(page => readFileSync(join(root, page), 'utf8'))
  expect(texts.filter(text => text !== fillBoxes(text))).toEqual([])
  expect(texts.filter(text => /^> \*\*.* yet\.\*\* Today/m.test(text)).length).toBeGreaterThanOrEqual(5)
})

test('CONTRIBUTING describes every script except the everyday ones', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const everyDay = ['start', 'test', 'check', 'build', 'generate', 'format']
  const others = Object.keys(scripts).filter(name => !everyDay.includes(name))
  expect(others.filter(name => !contributing.includes(`\`npm run ${name}\``))).toEqual([])
  const told = [...contributing.matchAll(/`npm run ([\w:]+)`/g)].map(([, name = '']) => name)
  expect(told.filter(name => !(name in scripts))).toEqual([])
})

test('the maps list every folder of src, and every folder of tests without a counterpart', () => {
  const foldersIn = (path: string) =>
    readdirSync(join(root, path), { withFileTypes: true }).flatMap(one =>
      one.isDirectory() ? [one.name] : [],
    )
  const ofSources = foldersIn('src')
  expect(ofSources.filter(name => !map.includes(`\n| \`${name}/\` |`))).toEqual([])
  const ofTests = foldersIn('test').filter(name => !ofSources.includes(name))
  expect(ofTests.filter(name => !mapOfTests.includes(`\n| \`test/${name}/\` |`))).toEqual([])
})

test('every decision names what was rejected, and its cost', () => {
  const decisions = decisionPages
    .filter(page => page !== 'packages.md')
    .flatMap(page =>
      readDecisions(page)
        .split(/^(?=## )/m)
        .slice(1),
    )
  expect(decisions.length).toBeGreaterThan(50)
  expect(decisions.filter(text => !/^- \*\*Rejected:\*\* [\s\S]*^- \*\*Cost:\*\* /m.test(text))).toEqual([])
})

const maps = globSync(['{src,test,packages,scripts}/**/README.md', 'docs/decisions/*.md'], {
  cwd: root,
  ignore: ['**/node_modules/**'],
})

/** Tests whether a path exists, relative to the page, its sources, those of the program or of fleets, or the root. */
function findPath(page: string, path: string): boolean {
  const folders = [dirname(page), join(dirname(page), 'src'), 'src', 'packages/fleet/src', '.']
  return folders.some(folder => globSync(path, { cwd: join(root, folder), onlyFiles: false }).length > 0)
}

test.each(maps)('every path and link in %s leads to a file or folder', page => {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')
  const links = [...text.matchAll(/\]\((?!\w+:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link)
  expect(links.filter(link => !existsSync(join(root, dirname(page), link)))).toEqual([])
  const paths = [...text.matchAll(/`([\w.@*{},-][\w.@*{},/-]*)`/g)].map(([, path = '']) => path)
  const named = paths.filter(path => /(?:\/|\.(?:ts|mjs|md|yaml|yml|css|html))$/.test(path))
  expect(named.filter(path => !findPath(page, path.replace(/\/$/, '')))).toEqual([])
})
