// Runs the main commands on the quickstart example, against its own emulator: validate, plan, apply, plan again.
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

// The emulator accepts any valid secret; these are random, and used only for this run.
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
// The emulator ends with this script, however that ends.
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

/** Prints a command as a user would type it, runs it, and returns its exit code. */
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
