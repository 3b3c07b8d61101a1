// Writes the generated files; `npm run generate` builds before and after it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateArtifacts, generateManifestTypes } from '../dist/scripts/reference/artifacts.js'
import { explanationsModule } from '../dist/scripts/reference/explanations.js'
import { referencePages } from '../dist/scripts/reference/pages.js'
import { exampleFacts } from '../dist/src/ci/ci-facts.js'
import { githubWorkflow } from '../dist/src/ci/github-workflow.js'
import { gitlabComponent, gitlabPipeline } from '../dist/src/ci/gitlab.js'
import { formatManifestTable } from '../dist/src/schema/parameter-paths.js'

const root = fileURLToPath(new URL('..', import.meta.url))
write('src/diagnostics/generated/explanations.ts', explanationsModule(root))
// What follows reads the explanations as they were compiled.
if (process.argv.includes('--explanations')) process.exit()
for (const [path, content] of generateArtifacts()) write(path, content)
write('src/schema/generated/manifest.ts', await generateManifestTypes())
write('examples/ci/github.yml', githubWorkflow(exampleFacts))
write('examples/ci/gitlab.yml', gitlabPipeline(exampleFacts))
write('templates/landform.yml', gitlabComponent())
for (const [path, content] of await referencePages(root)) write(path, content)
const map = read(join(root, 'src', 'README.md')) ?? ''
write(
  'src/README.md',
  map.replace(/(<!-- manifest table -->\n\n)[\s\S]*?(?=\n\n)/, (_, mark) => mark + formatManifestTable()),
)

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
