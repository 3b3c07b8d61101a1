import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { version } from '../../../src/version.js'
import { landformProgram } from '../../support/landform-program.js'
import { runProgram } from '../../support/program.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const program = 'landform/dist/bin/landform.cjs'
let place = ''

function installProgram(packages: string): void {
  mkdirSync(join(packages, dirname(program)), { recursive: true })
  cpSync(dirname(landformProgram), join(packages, dirname(program)), { recursive: true })
}

/** Installs a stand-in for the package for fleets, which only identifies itself. */
function installFleet(packages: string, content = fleetOf(version)): void {
  const folder = join(packages, '@landform/fleet')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "name": "@landform/fleet", "main": "index.cjs" }')
  writeFileSync(join(folder, 'index.cjs'), content)
}

const fleetOf = (told: string) =>
  `const status = async (argv, host) => { host.stdout.write('the fleet'); return 0 }
exports.fleet = { version: '${told}', commands: { status } }`

function link(from: string, to: string): void {
  mkdirSync(dirname(from), { recursive: true })
  symlinkSync(to, from)
}

/** Runs `landform fleet status` by this path, in a folder that has a package for fleets of its own. */
async function says(path: string) {
  const cwd = join(place, 'elsewhere')
  const env = { PATH: process.env['PATH'], HOME: place }
  const { code, stdout, stderr } = await runProgram(process.execPath, [path, 'fleet', 'status'], { cwd, env })
  return { code, said: stdout + stderr }
}

const isThere = { code: 0, said: 'the fleet' }

beforeAll(async () => {
  place = await temporaryFolder()
  installFleet(join(place, 'elsewhere/node_modules'))
})

test.each([
  [
    'in a project, through the link that npm and npx use',
    'project/node_modules',
    'project/node_modules/.bin/landform',
  ],
  [
    'in a global installation, through the link on the PATH',
    'prefix/lib/node_modules',
    'prefix/bin/landform',
  ],
])('the package for fleets is found %s', async (_what, below, linked) => {
  const [packages, started] = [join(place, below), join(place, linked)]
  installProgram(packages)
  installFleet(packages)
  link(started, relative(dirname(started), join(packages, program)))
  expect(await says(started)).toEqual(isThere)
})

test('it is found with pnpm and on Windows, where a script starts the program by the path of its package', async () => {
  const packages = join(place, 'pnpm/node_modules')
  installProgram(join(packages, '.pnpm/landform@0.1.0/node_modules'))
  link(join(packages, 'landform'), '.pnpm/landform@0.1.0/node_modules/landform')
  installFleet(packages)
  expect(await says(join(packages, program))).toEqual(isThere)
})

describe('an unusable package', () => {
  const packagesOf = (name: string) => join(place, name, 'node_modules')
  beforeAll(() => {
    for (const name of ['none', 'other', 'broken']) installProgram(packagesOf(name))
    installFleet(packagesOf('other'), fleetOf('0.0.1'))
    installFleet(packagesOf('broken'), "require('a-package-that-is-not-there')")
  })

  test.each([
    ['that is missing, although the working folder has one', 'none', 'which is not installed'],
    ['of another version', 'other', `@landform/fleet 0.0.1 does not match Landform ${version}`],
    ['that lacks a dependency', 'broken', 'is installed, but a package that it needs is missing'],
  ])('%s is reported', async (_what, folder, words) => {
    const { code, said } = await says(join(packagesOf(folder), program))
    expect(code).toBe(78)
    expect(said.replaceAll(/\s+/g, ' ')).toContain(words)
    expect(said).toContain(`next: npm install @landform/fleet@${version}`)
  })
})
