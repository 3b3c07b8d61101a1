import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import type { Emulator, EmulatorOptions } from '../../src/emulator/emulated-site.js'
import { parseBuiltInRules } from '../../src/emulator/faults/notation.js'
import { anEmulator } from '../support/emulator.js'
import { fakeHost } from '../support/fake-host.js'
import { root } from '../support/manifests.js'
import { temporaryFolder } from '../support/temporary-folder.js'

let emulator: Emulator
afterEach(() => process.chdir(root))

const environment = { LANDFORM_ADMIN_PASSWORD: 'Sunflower-42', LANDFORM_SECURITY_ANSWER: 'gardener' }
const policy = `\
  upgrade:
    podPlacementPolicy:
      tolerations:
        - { key: dedicated, operator: Equal, value: upgrades, effect: NoSchedule }
`

/** An empty folder, a site that requires a token as real sites are reported to, and a terminal. */
async function aFirstDay(options: EmulatorOptions = {}) {
  const { clock } = fakeHost()
  emulator = await anEmulator({ now: clock.now, stageMs: 20_000, fidelity: 'field', ...options })
  process.chdir(await temporaryFolder())
  const types = async (command: string, more: Readonly<Record<string, string>> = environment) => {
    const host = { ...fakeHost({ environment: more }), clock }
    const exitCode = await run(command.split(' '), host)
    return { exitCode, screen: host.screen() }
  }
  const init = `init --name p --url ${emulator.url} --email a@example.org --storage-class gp3 --ci github --yes`
  expect((await types(init)).exitCode).toBe(0)
  mkdirSync('licenses', { recursive: true })
  writeFileSync('licenses/site.json', '{}')
  return { types, configures: () => emulator.world().counters.configure }
}

const edit = (from: string | RegExp, to: string) =>
  writeFileSync('site.yaml', readFileSync('site.yaml', 'utf8').replace(from, to))

test('a manifest from init signs in for every command', async () => {
  const { types, configures } = await aFirstDay()
  for (const command of [
    'validate site.yaml',
    'plan site.yaml',
    'apply site.yaml --yes --progress lines',
    'plan site.yaml --detailed-exitcode',
    'status site.yaml',
    'drift site.yaml',
  ])
    expect([command, (await types(command)).exitCode]).toEqual([command, 0])
  edit(/$/, policy)
  expect((await types('plan site.yaml --detailed-exitcode')).exitCode).toBe(2)
  expect((await types('apply site.yaml --yes')).exitCode).toBe(0)
  edit('Equal, value: upgrades', 'Equal, value: nights')
  expect((await types('plan site.yaml --out plan.json --detailed-exitcode')).exitCode).toBe(2)
  expect((await types('apply plan.json --manifest site.yaml --yes')).exitCode).toBe(0)
  expect((await types('plan site.yaml --detailed-exitcode')).exitCode).toBe(0)
  expect((await types('drift site.yaml')).exitCode).toBe(0)
  expect(configures()).toEqual({ received: 1, accepted: 1 })
})

test('a site that rejects every token ends a run with 77, and the next run resumes', async () => {
  const refused = parseBuiltInRules(['root@30-110=error:498'])
  const { types, configures } = await aFirstDay({ faults: refused })
  const first = await types('apply site.yaml --yes --timeout 3h')
  expect(first.exitCode).toBe(77)
  expect(first.screen).toContain('very poll of the site is rejected: a valid token is required')
  let last = first
  for (let runs = 0; runs < 60 && last.exitCode === 77; runs += 1) last = await types('apply site.yaml --yes')
  expect([last.exitCode, configures()]).toEqual([0, { received: 1, accepted: 1 }])
})

test('without a token, a wait names what is missing, and ends with 77 after another poll', async () => {
  const { types, configures } = await aFirstDay()
  edit(/ +signIn: .*\n/, '')
  const { exitCode, screen } = await types('apply site.yaml --yes --progress lines --timeout 3h')
  expect([exitCode, configures().accepted]).toEqual([77, 1])
  expect(screen).toContain('no token is available, so this run ends after another try')
  expect(screen.match(/code 499/g)).toHaveLength(1)
  expect(screen).toContain('`spec.site.signIn`')
})

test('an update without a token fails before configure', async () => {
  const { types, configures } = await aFirstDay()
  edit(/$/, policy)
  edit(
    'signIn: { as: administrator }',
    'signIn: { username: operations, password: { env: LANDFORM_OPERATIONS } }',
  )
  const { exitCode, screen } = await types('apply site.yaml --yes')
  expect([exitCode, configures().received]).toEqual([66, 0])
  expect(screen).toContain('LANDFORM_OPERATIONS')
  edit(/ +signIn: .*\n/, '')
  expect((await types('plan site.yaml')).screen).toContain('site/token-unnamed')
})

test.each([
  ['--sign-in operations', 'signIn: { username: operations, password: { env: LANDFORM_ADMIN_PASSWORD } }'],
  [
    '--sign-in operations=file:secrets/reader',
    'signIn: { username: operations, password: { file: secrets/reader } }',
  ],
  ['--token env:LANDFORM_TOKEN', 'token: { env: LANDFORM_TOKEN }'],
])('init %s writes it, and the workflow passes only its secret', async (option, written) => {
  const { types } = await aFirstDay()
  const file = join('.github', 'workflows', 'landform.yml')
  // An existing workflow would keep the secrets of the first site.
  rmSync(file, { force: true })
  const init = `init other.yaml --name q --url ${emulator.url}x --email a@example.org --storage-class gp3 --yes`
  expect((await types(`${init} --ci github --force ${option}`)).exitCode).toBe(0)
  expect(readFileSync('other.yaml', 'utf8')).toContain(written)
  const workflow = readFileSync(file, 'utf8')
  const plan = workflow.slice(workflow.indexOf('- name: Plan'), workflow.indexOf('landform plan'))
  const [, variable] = /env: (\w+)/.exec(written) ?? []
  expect(plan.match(/secrets\.(\w+)/)?.[1]).toBe(variable)
})
