import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import type { Emulator } from '../../src/emulator/emulated-site.js'
import { startEmulator } from '../../src/emulator/server.js'
import { writeDeclaring } from '../support/declaring.js'
import { fakeHost } from '../support/fake-host.js'
import { root } from '../support/manifests.js'
import { someSecrets } from '../support/some-secrets.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

/*
 * What a newcomer does who loses the state of a rehearsal, or begins it again: `test/transcripts/walks/starting-over.md`.
 */
const transcript = join(root, 'test/transcripts/walks/starting-over.md')
const basePath = '/arcgis/admin'
const stageMs = 0

let emulator: Emulator
let folder = ''
const written: string[] = []

beforeEach(async () => {
  emulator = await startEmulator({ basePath, stageMs })
  folder = await temporaryFolder()
  mkdirSync(join(folder, 'home'))
  beginFolder()
})
afterEach(async () => {
  await emulator.close()
  await removeTemporaryFolders()
})
afterAll(() => {
  const text = `# Starting over\n\nAn emulator is at \`127.0.0.1:4001\`, and the state is beside the manifest.\n\n${written.join('\n\n')}\n`
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(transcript, text)
  expect(readFileSync(transcript, 'utf8')).toBe(text)
})

function beginFolder() {
  mkdirSync(join(folder, 'demo'))
  cpSync('examples/licenses', join(folder, 'demo/licenses'), { recursive: true })
  writeDeclaring(join(folder, 'demo/site.yaml'), emulator.url, 'file:.landform')
}

/** Another emulator at the address of the one that has ended. */
async function startAgain() {
  const { port } = new URL(emulator.url)
  await emulator.close()
  emulator = await startEmulator({ basePath, stageMs, port: Number(port) })
}

async function types(line: string) {
  const { port } = new URL(emulator.url)
  let nonce = ''
  const settle = (text: string) => {
    nonce = /--intent (\w{12,})/.exec(text)?.[1] ?? nonce
    return text
      .replaceAll(`${folder}/demo/`, '')
      .replaceAll(folder, '')
      .replaceAll(port, '4001')
      .replaceAll(/\b[0-9a-f]{12,24}\b/g, 'ID')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(/process \d+ on [\w.-]+/g, 'process N on HOST')
  }
  const environment = { ...someSecrets, HOME: join(folder, 'home') }
  const host = fakeHost({ columns: 80, settle, environment })
  const words = line.replaceAll('4001', port).split(' ')
  const inFolder = words.map(word => (/\.yaml$/.test(word) ? join(folder, 'demo', word) : word))
  const exitCode = await run(inFolder, host)
  const said = settle(host.screen())
  // The plan of a new site is on other pages.
  const shown = said.replace(/\nImmutable after[\s\S]*?\nPlan:/, '\n…\nPlan:')
  written.push(['```text', `$ landform ${settle(line)}`, `${shown}[exit ${exitCode}]`, '```'].join('\n'))
  return { exitCode, said, nonce }
}

test('lost state of a ready site is one fact, and the next command', async () => {
  written.push('## The state is lost, and the site is ready')
  expect((await types('apply site.yaml --yes --quiet')).exitCode).toBe(0)
  rmSync(join(folder, 'demo/.landform'), { recursive: true })
  written.push('`.landform` was removed.')
  const planned = await types('plan site.yaml')
  expect(planned.said.match(/recorded here/g)).toHaveLength(1)
  const [, adopt = ''] = /`landform (adopt .*)`/.exec(planned.said) ?? []
  expect(adopt).toContain('adopted.yaml')
  // The state is found by its default place, beside the manifest.
  expect((await types('status site.yaml')).said).toContain('`landform adopt ')
  expect((await types('drift site.yaml')).said).toContain('`landform adopt ')
})

test('a rehearsal that was left in the middle can begin again', async () => {
  written.push('## The next day, in a new folder, with a new emulator')
  expect((await types('apply site.yaml --yes --quiet --detach')).exitCode).toBe(3)
  await startAgain()
  rmSync(join(folder, 'demo'), { recursive: true })
  beginFolder()
  written.push('The emulator was stopped, and the folder removed. Both are there again.')
  expect((await types('apply site.yaml --yes --quiet')).exitCode).toBe(0)
  expect((await types('state show')).said).toBe('no open submission intents on this machine\n')
})

test('a new emulator in the same folder is another site, until its intent is discarded', async () => {
  written.push('## The next day, in the same folder')
  expect((await types('apply site.yaml --yes --quiet --detach')).exitCode).toBe(3)
  await startAgain()
  written.push('The emulator was stopped and started again.')
  const { exitCode, nonce } = await types('apply site.yaml --yes --quiet')
  expect(exitCode).toBe(6)
  expect((await types(`state discard-intent site.yaml --intent ${nonce} --wait`)).exitCode).toBe(0)
  expect((await types('apply site.yaml --yes --quiet')).exitCode).toBe(0)
})
