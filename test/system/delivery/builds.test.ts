import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../support/manifests.js'
import { runProgram } from '../../support/program.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { packedInto } from './packed.js'

const left = ['.git', 'node_modules', 'dist', '.landform', 'packages/fleet/dist'].map(name =>
  join(root, name),
)

/** Copies the sources to another folder, with different permissions and times. */
function otherCheckout(folder: string): string {
  const sources = join(folder, 'elsewhere')
  cpSync(root, sources, { recursive: true, filter: from => !left.includes(from) && !from.endsWith('.tgz') })
  const checkedOut = new Date('2001-02-03T04:05:06Z')
  for (const entry of readdirSync(sources, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    chmodSync(path, entry.isDirectory() ? 0o700 : 0o600)
    utimesSync(path, checkedOut, checkedOut)
  }
  symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'))
  return sources
}

const contents = (paths: readonly string[]) => paths.map(path => readFileSync(path).toString('base64'))

test('a build in another environment creates identical packages, and a linked command works during a build', async () => {
  const folder = await temporaryFolder()
  const here = packedInto(join(folder, 'here'))
  const home = join(folder, 'home')
  mkdirSync(home)
  const surroundings = { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', USER: 'one' }
  const checkout = otherCheckout(folder)
  const { status, stdout, stderr } = spawnSync('sh', ['-c', 'umask 077 && exec npm run --silent pack'], {
    cwd: checkout,
    env: { PATH: process.env['PATH'], HOME: home, TMPDIR: folder, ...surroundings },
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, expect.any(String)])
  const isSame = JSON.stringify(contents(stdout.trim().split('\n'))) === JSON.stringify(contents(await here))
  expect(isSame).toBe(true)

  const build = spawn('npm', ['run', '--silent', 'build'], { cwd: checkout, stdio: 'ignore' })
  const program = join(checkout, 'dist', 'bin', 'landform.cjs')
  const codes: unknown[] = []
  while (build.exitCode === null)
    codes.push((await runProgram(process.execPath, [program, '--version'])).code)
  expect([build.exitCode, new Set(codes)]).toEqual([0, new Set([0])])
})
