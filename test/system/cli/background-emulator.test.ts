import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { http, httpDouble } from '../../support/http-double.js'
import { landformCommand, landformProgram } from '../../support/landform-program.js'
import { runProgram } from '../../support/program.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const landform = (...words: readonly string[]) => runProgram(process.execPath, [landformProgram, ...words])
const stop = (port: string) => landform('emulate', '--port', port, '--stop')

/** The ports of emulators to stop after the test. */
const running = new Set<string>()

afterEach(async () => {
  for (const port of running) await stop(port)
  running.clear()
})

/** Starts an emulator in the background, from a shell that captures its output. */
async function startDetached(...options: readonly string[]) {
  const words = ['emulate', '--detach', ...options].join(' ')
  const { code, stdout, stderr } = await runProgram('sh', [
    '-c',
    `sites=$(${landformCommand} ${words}); echo "$sites"`,
  ])
  const sites = stdout.trim().split('\n')
  const { port } = new URL(sites[0] ?? '')
  running.add(port)
  return { code, sites, stderr, port }
}

test('a shell gets the address once the emulator listens on it', async () => {
  const { code, sites, stderr, port } = await startDetached('--base-path', '/arcgis/admin')
  const [site = ''] = sites
  expect({ code, sites }).toEqual({ code: 0, sites: [`http://127.0.0.1:${port}/arcgis/admin`] })
  expect((await fetch(`${site}?f=json`)).status).toBe(200)
  const [, page = ''] = /watch it at (\S+),/.exec(stderr) ?? []
  expect(await (await fetch(page)).text()).toContain('<!doctype html>')
  expect(stderr).toContain(`stop it with\n\`landform emulate --port ${port} --stop\`\n`)
})

test('all options apply in the background, and every site is printed', async () => {
  const faults = ['--fault', 'root=status:503', '--service-version', '11.1']
  const { sites, stderr } = await startDetached('--sites', '3', '--quiet', ...faults)
  expect(sites).toHaveLength(3)
  expect(stderr).toBe('')
  for (const site of sites) expect((await fetch(site)).status).toBe(503)
})

test('a port is free again only after its emulator is stopped', async () => {
  const { port } = await startDetached()
  expect(await landform('emulate', '--detach', '--port', port)).toEqual({
    code: 69,
    stdout: '',
    stderr: `error: port ${port} is in use
next: choose another --port, or stop an emulator there:
      landform emulate --port ${port} --stop
`,
  })
  expect(await stop(port)).toEqual({
    code: 0,
    stdout: '',
    stderr: `the emulator on port ${port} has stopped\n`,
  })
  expect(await startDetached('--port', port)).toMatchObject({ code: 0, port })
  expect(await stop(port)).toMatchObject({ code: 0 })
  expect(await stop(port)).toMatchObject({ code: 69, stderr: `error: nothing listens on port ${port}\n` })
})

test('an error at the start is reported by the command that starts it', async () => {
  const { code, stdout, stderr } = await landform('emulate', '--detach', '--fault', 'nonsense')
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
  expect(stderr).toContain('--fault "nonsense"')
})

test('another program on the port is not stopped', async () => {
  const { port } = await httpDouble([{ reply: http(200, 'hello') }])
  expect(await stop(String(port))).toMatchObject({
    code: 69,
    stderr: `error: the program on port ${port} is not an emulator\n`,
  })
})

test('--stop is rejected with --detach', async () => {
  expect(await landform('emulate', '--stop', '--detach', '--port', '4000')).toMatchObject({ code: 64 })
})

describe('in a home directory', () => {
  async function openHome() {
    const home = await temporaryFolder()
    const env = { ...process.env, HOME: home, XDG_STATE_HOME: '' }
    const at = (folder: string, ...words: readonly string[]) => {
      mkdirSync(join(home, folder), { recursive: true })
      const script = `${landformCommand} emulate ${words.join(' ')}`
      return runProgram('sh', ['-c', script], { cwd: join(home, folder), env })
    }
    const files = () => readdirSync(join(home, '.local/state/landform/emulators'))
    return { home, at, files }
  }

  test('emulators are listed, and --stop ends those of the current folder', async () => {
    const { home, at, files } = await openHome()
    const address = async (folder: string) => (await at(folder, '--detach', '--quiet')).stdout.trim()
    const [one, two, other] = [await address('one'), await address('one'), await address('other')]
    running.add(new URL(other).port)
    const list = (await at('one', '--list')).stdout
    for (const site of [one, two])
      expect(list).toMatch(new RegExp(`^${site}  since \\S+  in ${home}/one$`, 'm'))
    expect(await at('one', '--stop')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^(the emulator .*\n){2}$/),
    })
    expect((await at('one', '--list')).stdout).toMatch(
      new RegExp(`^${other}  since \\S+  in ${home}/other\n$`),
    )
    expect(await at('one', '--stop')).toMatchObject({
      code: 69,
      stderr: `error: no emulator that was started in this folder is running\nnext: landform emulate --list\n`,
    })
    expect((await at('other', '--stop')).code).toBe(0)
    expect((await at('other', '--list')).stdout).toBe('no emulator is running\n')
    expect(files()).toEqual([])
  })

  test('an idle emulator ends by itself, and a killed one is not listed', async () => {
    const { at, files } = await openHome()
    await at('one', '--detach', '--idle', '2s')
    const waited = '> ../address & until [ -s ../address ]; do sleep 0.1; done; kill -9 $!; cat ../address'
    const killed = (await at('one', waited)).stdout
    expect(killed).toMatch(/^http:/)
    while ((await at('one', '--list')).stdout !== 'no emulator is running\n');
    expect(files()).toEqual([])
  })
})
