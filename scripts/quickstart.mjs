// The main job on the quickstart example: validate, plan, apply, plan again, against an emulator of its own.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const landform = join(root, 'dist', 'bin', 'landform.cjs')
const manifest = 'examples/quickstart.yaml'
const folder = mkdtempSync(join(tmpdir(), 'landform-quickstart-'))

// The emulator takes any secret that keeps the rules; these are made up for this one run.
const secret = () => `Quickstart1-${randomBytes(12).toString('hex')}`
const environment = {
  ...process.env,
  XDG_STATE_HOME: folder,
  LANDFORM_ADMIN_PASSWORD: secret(),
  LANDFORM_SECURITY_ANSWER: secret(),
  LANDFORM_TOKEN: secret(),
}

const emulator = spawn(process.execPath, [landform, 'emulate', '--base-path', '/arcgis/admin'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
})
// Whatever ends this script ends the emulator, too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130))
process.on('exit', () => emulator.kill())
process.stdout.on('error', () => process.exit(141))

try {
  const url = await firstLine(emulator.stdout)
  const site = ['--url', url, '--state', `file:${folder}`]
  process.exitCode =
    (await command(['validate', manifest])) ||
    (await command(['plan', manifest, ...site])) ||
    (await command(['apply', manifest, ...site, '--yes'])) ||
    (await command(['plan', manifest, ...site, '--detailed-exitcode']))
  if (process.exitCode === 0)
    process.stdout.write(
      '\nIt works. Next: `npm run link` puts `landform` on your path; then read "Ten minutes" in README.md.\n',
    )
} finally {
  emulator.kill()
  rmSync(folder, { recursive: true, force: true })
}

/** Shows a command as a person would type it, runs it, and answers with its exit code. */
function command(args) {
  process.stdout.write(`\n$ landform ${args.join(' ')}\n`)
  const child = spawn(process.execPath, [landform, ...args], {
    cwd: root,
    env: environment,
    stdio: 'inherit',
  })
  return new Promise(resolve => child.on('close', code => resolve(code ?? 70)))
}

function firstLine(stream) {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: stream })
    lines.once('line', resolve)
    lines.once('close', () => reject(new Error('the emulator did not start')))
  })
}
