import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { anEmulator } from '../../support/emulator.js'
import { quickstartFolder } from '../../support/example-copy.js'
import { landformProgram } from '../../support/landform-program.js'

let folder = ''
let emulator: Emulator
beforeAll(async () => {
  emulator = await anEmulator({})
})
beforeEach(async () => {
  folder = await quickstartFolder()
})
/** Runs the program. One that blocks is killed, and then has no exit code. */
async function run(...words: readonly string[]) {
  const limits = { cwd: folder, timeout: 60_000, killSignal: 'SIGKILL' } as const
  const ended = promisify(execFile)(process.execPath, [landformProgram, ...words], limits)
  return ended.then(
    ({ stdout, stderr }) => ({ exitCode: 0, said: `${stdout}${stderr}` }),
    ({ code, stdout, stderr }) => ({ exitCode: code as number | null, said: `${stdout}${stderr}` }),
  )
}

const onLinux = process.platform === 'linux' ? describe : describe.skip
const emulated = ['--emulate', '--yes', '--no-input'] as const

onLinux('a pipe with a reader', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['--events', ['apply', 'site.yaml', ...emulated, '--events', 'pipe'], /"type":"stream-finished"/],
    ['plan --out', ['plan', 'site.yaml', '--out', 'pipe'], /"formatVersion":1/],
    ['--format', ['plan', 'site.yaml', '--emulate', '--format', 'json=pipe'], /"formatVersion": 1/],
    ['--format of a check', ['validate', 'site.yaml', '--format', 'json=pipe'], /"diagnostics"/],
  ])('gets the complete output of %s', async (_what, words, wanted) => {
    spawnSync('mkfifo', [join(folder, 'pipe')])
    const reader = spawn('cat', [join(folder, 'pipe')], { stdio: ['ignore', 'pipe', 'inherit'] })
    const heard = text(reader.stdout)
    try {
      const url = words.includes('--out') ? ['--url', emulator.url] : []
      expect(await run(...words, ...url)).toMatchObject({ exitCode: 0 })
      expect(await heard).toMatch(wanted)
    } finally {
      reader.kill()
    }
  })

  test('can contain a manifest', async () => {
    spawnSync('mkfifo', [join(folder, 'pipe')])
    const writer = spawn('sh', ['-c', 'cat site.yaml > pipe'], { cwd: folder, stdio: 'ignore' })
    const ended = once(writer, 'close')
    expect(await run('validate', 'pipe')).toMatchObject({ exitCode: 0 })
    await ended
  })
})

onLinux('an endless file', () => {
  test.each([
    ['validate', ['validate', 'endless']],
    ['apply', ['apply', 'endless', ...emulated]],
    ['show', ['show', 'endless']],
    ['plan --storage-classes', ['plan', 'site.yaml', '--emulate', '--storage-classes', 'endless']],
    ['plan --sign-key', ['plan', 'site.yaml', '--emulate', '--out', 'p.json', '--sign-key', 'file:endless']],
    ['init --from-properties', ['init', 'new.yaml', '--yes', '--from-properties', 'endless']],
    ['emulate --scenario', ['plan', 'site.yaml', '--emulate', '--scenario', './endless']],
  ])('is rejected by %s, whether a device or a file of the kernel', async (_what, words) => {
    for (const target of ['/dev/zero', '/proc/kmsg', '/dev/tty']) {
      symlinkSync(target, join(folder, 'endless'))
      const { exitCode, said } = await run(...words)
      const isRefused = [64, 65, 66, 78].includes(exitCode ?? 0)
      expect({ target, exitCode, said, isRefused }).toMatchObject({ isRefused: true })
      spawnSync('rm', [join(folder, 'endless')])
    }
  })
})

test.each([
  ['probe', ['probe', 'site.yaml', '--emulate', '--out', 'site.yaml', '--force']],
  ['probe, by a link', ['probe', 'site.yaml', '--emulate', '--out', 'link', '--force']],
  ['init', ['init', 'site.yaml', '--yes', '--force', '--from-properties', 'site.yaml']],
  ['plan', ['plan', 'site.yaml', '--out', 'site.yaml']],
  ['apply', ['apply', 'site.yaml', ...emulated, '--events', 'site.yaml']],
  ['validate', ['validate', 'site.yaml', '--format', 'json=site.yaml']],
])('%s does not replace the file that it reads', async (_what, words) => {
  symlinkSync('site.yaml', join(folder, 'link'))
  const before = readFileSync(join(folder, 'site.yaml'))
  expect(await run(...words)).toMatchObject({
    exitCode: 64,
    said: expect.stringContaining('name another file'),
  })
  expect(readFileSync(join(folder, 'site.yaml'))).toEqual(before)
  expect(existsSync(join(folder, 'p.json'))).toBe(false)
})
