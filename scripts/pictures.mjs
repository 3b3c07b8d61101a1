// Draws the pictures of the README from rehearsals of an example. `npm run generate` runs this; with `--check`, it writes
// nothing, and exits with 1 if a picture differs from the current output of the program.
// A browser draws the page of the plan, differently on each machine. So that picture contains the digest of its page, and is
// drawn again only if the page has changed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { browserPath, browsers } from '../dist/scripts/pictures/browsers.js'
import { renderPlanHtml } from '../dist/src/report/plan-html.js'
import { rehearseApply, rehearseInterview, rehearsePlan } from './pictures/rehearse.mjs'
import { encodePng, readPngText, takeScreenshot } from './pictures/screenshot.mjs'
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
const rows = await rehearseApply(rehearsal, { ...terminal, atMs: 500_000 })
const apply = drawTerminal(rows, {
  columns: terminal.columns,
  title: 'landform apply, in the middle of creating an organization',
  description:
    'A terminal with the fourteen stages of the site: some completed, one in progress, others not started.',
  source: `examples/${manifest}`,
})
updateText('apply.svg', apply)
updateText('init.svg', await drawInterview())
await updateScreenshot('plan.png', renderPlanHtml((await planAsInReadme()).planned))

/** Draws the interview of `init` at its longest list. */
async function drawInterview() {
  // The prompt uses colours only if this is set.
  process.env.FORCE_COLOR = '1'
  const down = '\x1b[B'
  const typed = [
    ['production', '\r'],
    ['https://gis.example.org/arcgis/admin', '\r'],
    ['\r'],
    ['\r'],
    [down, '\r'],
    ['\r'],
    ['gis-objects', '\r'],
    ['eu-west-1', '\r'],
    ['prod', '\r'],
    ['gp3', '\r'],
    ['\r'],
    ['\r'],
    ['admin@example.org', '\r'],
    ['\r'],
    ['\r'],
  ]
  const rows = await rehearseInterview(typed, { columns: terminal.columns, rows: 32 })
  return drawTerminal(rows, {
    columns: terminal.columns,
    title: 'landform init, asking for the secret question',
    description: 'A terminal with the answers so far, and the fourteen secret questions as a list of texts.',
    source: 'the questions of landform init',
  })
}

/** Plans the manifest that the README creates, with its commands. */
async function planAsInReadme() {
  const place = mkdtempSync(join(tmpdir(), 'landform-pictures-'))
  try {
    const [, lines] = /^landform (init (?:.*\\\n)*.*)$/m.exec(
      readFileSync(join(folder, '../../README.md'), 'utf8'),
    )
    const line = lines.replaceAll(/ \\\n +/g, ' ')
    const program = join(folder, '../../dist/bin/landform.cjs')
    const words = line.replace(/https:\S+/, 'http://127.0.0.1:4000/arcgis/admin').split(' ')
    const { status } = spawnSync(process.execPath, [program, ...words, '--quiet'], {
      cwd: place,
      stdio: 'inherit',
    })
    if (status !== 0) throw new Error(`landform ${line} exited with ${status}`)
    writeFileSync(join(place, 'licenses', 'site.json'), '{}\n')
    process.chdir(place)
    return await rehearsePlan('site.yaml')
  } finally {
    process.chdir(folder)
    rmSync(place, { recursive: true, force: true })
  }
}

function updateText(name, content) {
  const file = join(folder, name)
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return
  if (mayWrite(name)) write(name, content)
}

async function updateScreenshot(name, html) {
  const file = join(folder, name)
  // The picture ends with the first group of lines. The text below, such as the version of Landform, does not make it stale.
  const digest = createHash('sha256')
    .update(html.slice(0, html.indexOf(groupEnd)))
    .digest('hex')
  if (existsSync(file) && readPngText(readFileSync(file), 'page') === digest) return
  if (!mayWrite(name)) return
  if (browserPath === undefined)
    process.stderr.write(
      `SKIPPED: ${name} is stale, and none of ${browsers.join(', ')} is installed to draw it\n`,
    )
  else
    write(
      name,
      encodePng(await takeScreenshot(html, { executablePath: browserPath, width }), ['page', digest]),
    )
}

/** Returns whether a picture may be written. With `--check`, it reports a stale picture instead. */
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
