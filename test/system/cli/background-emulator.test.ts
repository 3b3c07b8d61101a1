import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { landformCommand, landformProgram } from '../../support/landform-program.js'
import { runProgram } from '../../support/program.js'

const landform = (...words: readonly string[]) => runProgram(process.execPath, [landformProgram, ...words])
const stop = (port: string) => landform('emulate', '--port', port, '--stop')

/** The ports of emulators that a test left running. */
const running = new Set<string>()

afterEach(async () => {
  for (const port of running) await stop(port)
  running.clear()
})

/** Starts an emulator in the background of a shell that captures what it prints. */
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

test('a shell gets the address once the emulator listens there', async () => {
  const { code, sites, stderr, port } = await startDetached('--base-path', '/arcgis/admin')
  const [site = ''] = sites
  expect({ code, sites }).toEqual({ code: 0, sites: [`http://127.0.0.1:${port}/arcgis/admin`] })
  expect((await fetch(`${site}?f=json`)).status).toBe(200)
  const [, page = ''] = /watch it at (\S+),/.exec(stderr) ?? []
  expect(await (await fetch(page)).text()).toContain('<!doctype html>')
  expect(stderr).toContain(`stop it with\n\`landform emulate --port ${port} --stop\`\n`)
})

test('all options hold in the background, and every site is printed', async () => {
  const faults = ['--fault', 'root=status:503', '--service-version', '11.1']
  const { sites, stderr } = await startDetached('--sites', '3', '--quiet', ...faults)
  expect(sites).toHaveLength(3)
  expect(stderr).toBe('')
  for (const site of sites) expect((await fetch(site)).status).toBe(503)
})

test('a port is free again once its emulator is stopped, and not before', async () => {
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

test('what prevents the start is reported by the command that asked for it', async () => {
  const { code, stdout, stderr } = await landform('emulate', '--detach', '--fault', 'nonsense')
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
  expect(stderr).toContain('--fault "nonsense"')
})

test('another program on the port is not stopped', async () => {
  const server = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  expect(await stop(String(port))).toMatchObject({
    code: 69,
    stderr: `error: the program on port ${port} is not an emulator\n`,
  })
  server.close()
})

test.each([
  ['without a port', ['--stop']],
  ['with --detach', ['--stop', '--detach', '--port', '4000']],
])('--stop is rejected %s', async (_, options) => {
  expect(await landform('emulate', ...options)).toMatchObject({ code: 64 })
})
