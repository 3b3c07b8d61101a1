// Draws the pictures of the README from rehearsals of an example: `npm run generate` writes them, and with `--check` it ends
// with 1 when one is not what the program shows now.
// A browser draws the page of the plan, differently on each machine. So that picture has the digest of its page in it, and is
// drawn again only when the page has changed.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { browserPath, browsers } from '../dist/scripts/pictures/browsers.js'
import { renderPlanHtml } from '../dist/src/report/plan-html.js'
import { encodePng, readPngText } from './pictures/png.mjs'
import { rehearseApply, rehearsePlan } from './pictures/rehearse.mjs'
import { takeScreenshot } from './pictures/screenshot.mjs'
import { drawTerminal } from './pictures/terminal-svg.mjs'

const manifest = 'environments/production/site.yaml'
const terminal = { columns: 80, rows: 24 }
const width = 1080
const groupEnd = '</details>'
const folder = fileURLToPath(new URL('../docs/images', import.meta.url))

// The paths in the pictures are those that a user in this folder sees.
process.chdir(fileURLToPath(new URL('../examples', import.meta.url)))
mkdirSync(folder, { recursive: true })
const rehearsal = await rehearsePlan(manifest)
const page = renderPlanHtml(rehearsal.planned)
const rows = await rehearseApply(rehearsal, { ...terminal, atMs: 500_000 })
const apply = drawTerminal(rows, {
  columns: terminal.columns,
  title: 'landform apply, in the middle of creating an organization',
  description:
    'A terminal with the fourteen stages of the site: some completed, one in progress, others not started.',
  source: `examples/${manifest}`,
})
updateText('apply.svg', apply)
await updateScreenshot('plan.png', page)

function updateText(name, content) {
  const file = join(folder, name)
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return
  if (mayWrite(name)) write(name, content)
}

async function updateScreenshot(name, html) {
  const file = join(folder, name)
  // The picture ends with the first group of lines. What is below, such as the version of Landform, does not make it stale.
  const digest = createHash('sha256')
    .update(html.slice(0, html.indexOf(groupEnd)))
    .digest('hex')
  if (existsSync(file) && readPngText(readFileSync(file), 'page') === digest) return
  if (!mayWrite(name)) return
  if (browserPath === undefined)
    process.stderr.write(`SKIPPED: ${name} is stale, and none of ${browsers.join(', ')} is here to draw it\n`)
  else
    write(
      name,
      encodePng(await takeScreenshot(html, { executablePath: browserPath, width }), ['page', digest]),
    )
}

/** False with `--check`, which only reports a stale picture. */
function mayWrite(name) {
  if (!process.argv.includes('--check')) return true
  process.stderr.write(`docs/images/${name} is stale: run \`npm run generate\`\n`)
  process.exitCode = 1
  return false
}

function write(name, content) {
  writeFileSync(join(folder, name), content)
  process.stdout.write(`wrote docs/images/${name}\n`)
}
