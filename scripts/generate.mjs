// Writes the generated files: with `--modules`, those that the program is compiled from; otherwise, the pages and examples that
// the program itself generates. `npm run generate` compiles before each.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const compiled = path => import(`../dist/${path}.js`)
await (process.argv.includes('--modules') ? writeModules() : writePages())

/** Imports nothing that is generated, so that it works without any generated file. */
async function writeModules() {
  const { explanationsModule } = await compiled('scripts/reference/explanations')
  write('src/diagnostics/generated/explanations.ts', explanationsModule(root))
  const { generateArtifacts, generateManifestTypes } = await compiled('scripts/reference/artifacts')
  for (const [path, content] of generateArtifacts()) write(path, content)
  write('src/schema/generated/manifest.ts', await generateManifestTypes())
}

/** Imports the modules that were compiled after `writeModules`. */
async function writePages() {
  const { exampleFacts } = await compiled('src/ci/ci-facts')
  const { buildCiFile } = await compiled('src/ci/ci-file')
  const { ciFiles } = await compiled('src/ci/ci-systems')
  const { gitlabComponent } = await compiled('src/ci/gitlab')
  for (const [system, file] of Object.entries(ciFiles))
    write(`examples/ci/${system}.yml`, buildCiFile(file, [exampleFacts]))
  write('templates/landform.yml', gitlabComponent())
  const { referencePages } = await compiled('scripts/reference/pages')
  for (const [path, content] of await referencePages(root)) write(path, content)
  const { fillBoxes } = await compiled('scripts/reference/unpublished')
  const howTo = readdirSync(join(root, 'docs', 'how-to')).map(name => `docs/how-to/${name}`)
  for (const page of ['docs/fleet.md', ...howTo]) write(page, fillBoxes(read(join(root, page)) ?? ''))
}

function write(path, content) {
  const file = join(root, path)
  if (read(file) === content) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  process.stdout.write(`wrote ${path}\n`)
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
