import { loadManifest } from '../../../src/manifest/load-manifest.js'
import { postgresIsHere } from '../../support/postgres.js'
import { runsHere } from '../../support/program.js'
import { missingForCluster } from '../../support/real/cluster.js'
import { firstHour, followPage, pages, readPage as read } from './documentation.js'
import { fencesOf } from './fences.js'
import { stepsOf } from './steps.js'

/*
 * Follows every page in an empty folder: runs `sh` blocks with `bash -e`, and compares the output of `console` blocks with the
 * page, in which `…` stands for omitted lines. Comments before a block, which readers do not see, are `file: NAME`, which
 * writes the block to a file that the text above names, `exit: N`, the expected exit code, and `not run: REASON`. No comment
 * can add a command. `UPDATE_GOLDEN=1` rewrites the output.
 */
const notRun: readonly string[] = [
  'README.md: npm start',
  'README.md: npm run link',
  'docs/how-to/ci.md: node --permission --allow-fs-read="$PWD/" node_modules/landform/dist/bin/landform.cjs plan --offline site.yaml',
  'docs/how-to/ci.md: landform comment plan.json --manifest site.yaml',
  'docs/how-to/ci.md: landform plan sites --out plans',
  'docs/how-to/install.md: npm run link',
  'docs/how-to/install.md: npm install --save-dev landform@latest',
  'docs/how-to/install.md: npm uninstall --global --prefix ~/.local landform',
  'docs/how-to/install.md: npm uninstall landform',
  'docs/how-to/state.md: az storage account create --resource-group my-group --name myaccount --allow-shared-key-access false',
  `docs/how-to/state.md: az ad app federated-credential create --id "$AZURE_CLIENT_ID" --parameters '{`,
]

const written = pages.filter(page => !read(page).startsWith('<!-- Generated'))
const followed = written
  .filter(page => stepsOf(read(page)).some(({ kind }) => kind === 'run' || kind === 'session'))
  .filter(page => !firstHour.includes(page))
const absent: string[] = []
for (const program of ['bash', 'git', 'openssl', 'curl', 'jq'])
  if (!(await runsHere(['sh', '-c', `command -v ${program}`]))) absent.push(program)
if (!postgresIsHere) absent.push('PostgreSQL')
if (missingForCluster !== undefined) absent.push(missingForCluster)
const lacking = (page: string) =>
  absent.filter(
    name =>
      name === 'bash' ||
      (name === 'PostgreSQL'
        ? /docker run --detach|createdb/
        : name === missingForCluster
          ? /kubectl apply --kustomize kubernetes/
          : RegExp(`${name} `)
      ).test(read(page)),
  )

/** Commands mostly wait for processes to start. */
const readersAtOnce = 4
const complaints = new Map<string, Promise<string | undefined>>()

beforeAll(() => {
  const readers: Promise<unknown>[] = Array(readersAtOnce).fill(Promise.resolve())
  for (const [at, page] of followed.filter(one => lacking(one).length === 0).entries()) {
    const complaint = readers[at % readersAtOnce]?.then(() => followPage(page)).catch(String)
    if (complaint === undefined) continue
    complaints.set(page, complaint)
    readers[at % readersAtOnce] = complaint
  }
})

for (const page of followed) {
  const lacks = lacking(page)
  const where = lacks.length === 0 ? '' : ` (install ${lacks.join(', ')})`
  const run = lacks.length === 0 ? test : test.skip
  run(`every command of ${page} does what the page says${where}`, async () => {
    const complaint = await complaints.get(page)
    if (complaint !== undefined) throw new Error(`${page}, ${complaint}`)
  })
}

test('every command is run, except those listed here', () => {
  const skipped = written.flatMap(page =>
    stepsOf(read(page)).flatMap(step =>
      step.kind === 'not-run' ? [`${page}: ${step.commands.split('\n')[0]}`] : [],
    ),
  )
  expect(skipped).toEqual(notRun)
})

test.each(written)('%s hides no command in a comment, and names the files that it shows', page => {
  const markdown = read(page)
  const words = fencesOf(markdown).flatMap(part => (part.kind === 'remark' ? [part.text.split(':')[0]] : []))
  expect(words.filter(word => !['file', 'exit', 'not run', 'unpublished'].includes(word ?? ''))).toEqual([])
  for (const step of stepsOf(markdown)) {
    if (step.kind !== 'file') continue
    const above = markdown.split('\n').slice(0, step.line - 1)
    const section = above.slice(above.findLastIndex(line => line.startsWith('#')) + 1)
    const visible = section.filter(line => !line.startsWith('<!--')).join('\n')
    expect(visible).toContain(`\`${step.name}\``)
  }
})

test.each(written)('all commands of %s are in blocks that are run, and its manifests are valid', page => {
  for (const step of stepsOf(read(page))) {
    if (step.kind !== 'shown') continue
    expect(['bash', 'shell', 'zsh']).not.toContain(step.language)
    expect(step.text).not.toMatch(/^(?:\$ )?landform /m)
    if (step.language !== 'yaml' || !/^kind: SiteDeployment$/m.test(step.text)) continue
    const bytes = Buffer.from(step.text)
    expect(loadManifest({ name: `${page}:${step.line}`, bytes }).diagnostics).toEqual([])
  }
})
