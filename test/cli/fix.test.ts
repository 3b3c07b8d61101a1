import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import { aManifest } from '../support/changed-manifest.js'
import { fakeHost } from '../support/fake-host.js'
import { filesIn } from '../support/files-in.js'
import { harmIn } from '../support/harm-done.js'
import { joinLines } from '../support/join-lines.js'
import { landform } from '../support/landform.js'
import { measuredRun } from '../support/measured-run.js'
import { listSchemaErrors } from '../support/schema-errors.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const valid = readFileSync('examples/quickstart.yaml', 'utf8')
const misspelt = valid
  .replace('fullName:', 'fullname:   ')
  .replace('profile: development', 'profile: Development # why')
const fixedText = valid
  .replace('fullName:', 'fullName:   ')
  .replace('profile: development', 'profile: development # why')

let folder = ''
const inFolder = (name: string) => join(folder, name)
const read = (name: string) => readFileSync(inFolder(name), 'utf8')
const fix = (name: string, ...options: string[]) =>
  landform(['validate', inFolder(name), '--fix', ...options], { folder })

/** Adds the folder of the file names, which the harness removes from the output. */
const fromHere = (patch: string) => patch.replaceAll(/^(---|\+\+\+) ([ab])(?=site)/gm, '$1 $2/')

beforeEach(async () => {
  folder = await temporaryFolder()
})

describe('--fix', () => {
  test('makes every unambiguous fix, leaves every other byte, and reports the remaining problems', async () => {
    const open = misspelt.replace('16Gi', '0Gi').replaceAll('\n', '\r\n')
    filesIn(folder, { 'site.yaml': `\uFEFF${open}`, 'other.yaml': open })
    const { exitCode, out, err } = await fix('site.yaml')
    expect(exitCode).toBe(65)
    expect(err).toBe('fixed 2 problems in site.yaml\n')
    expect(out).toMatch(/volume\/size$[\s\S]*1 file, 1 error, 0 warnings\n$/m)
    expect(read('site.yaml')).toBe(`\uFEFF${fixedText.replace('16Gi', '0Gi').replaceAll('\n', '\r\n')}`)
    expect(read('other.yaml')).toBe(open)
    expect(readdirSync(folder)).toEqual(['other.yaml', 'site.yaml'])
  })

  test('makes fixes as well that other fixes make possible', async () => {
    filesIn(folder, { 'site.yaml': valid.replace('  profile: development', '  profiles: Development') })
    const { exitCode, err } = await fix('site.yaml')
    expect([exitCode, err]).toEqual([0, 'fixed 2 problems in site.yaml\n'])
    expect(read('site.yaml')).toBe(valid)
  })

  test.each([0o600, 0o640, 0o664, 0o666, 0o755])('keeps the permissions %i of a file', async mode => {
    filesIn(folder, { 'site.yaml': misspelt })
    chmodSync(inFolder('site.yaml'), mode)
    await fix('site.yaml')
    expect(statSync(inFolder('site.yaml')).mode & 0o777).toBe(mode)
    expect(read('site.yaml')).toBe(fixedText)
  })

  test('writes the target of a link, and keeps the link', async () => {
    filesIn(folder, { '.git/': '', 'real/site.yaml': misspelt })
    symlinkSync('real/site.yaml', inFolder('link.yaml'))
    expect((await fix('link.yaml')).exitCode).toBe(0)
    expect(lstatSync(inFolder('link.yaml')).isSymbolicLink()).toBe(true)
    expect(read('real/site.yaml')).toBe(fixedText)
  })

  test.each([
    ['is valid', valid],
    ['has no mistake with an unambiguous fix', valid.replace('16Gi', '0Gi')],
    ['is not YAML', 'a: [\n'],
  ])('does not touch a file that %s', async (_, text) => {
    filesIn(folder, { 'site.yaml': text })
    utimesSync(inFolder('site.yaml'), 1, 1)
    const { ino } = statSync(inFolder('site.yaml'))
    expect((await fix('site.yaml')).err).toBe('')
    expect(statSync(inFolder('site.yaml'))).toMatchObject({ mtimeMs: 1000, ino })
    expect(read('site.yaml')).toBe(text)
  })

  test('fixes several files, but never their bases', async () => {
    const base = readFileSync('examples/environments/base.yaml', 'utf8').replace('fullName', 'fullname')
    const site = readFileSync('examples/environments/development/site.yaml', 'utf8')
    const wrong = site.replace('{ name:', '{ Name:')
    filesIn(folder, {
      '.git/': '',
      'base.yaml': base,
      'a/site.yaml': wrong,
      'b/site.yaml': wrong,
      'c.yaml': misspelt,
    })
    const { exitCode, err } = await fix('.')
    expect(exitCode).toBe(65)
    expect(err.match(/^fixed \d problems? in \S+$/gm)).toEqual([
      'fixed 1 problem in a/site.yaml',
      'fixed 1 problem in b/site.yaml',
      'fixed 2 problems in c.yaml',
    ])
    expect([read('a/site.yaml'), read('b/site.yaml')]).toEqual([site, site])
    expect(read('base.yaml')).toBe(base)
  })

  test('reports a file that could not be written and is unchanged: 74', async () => {
    // A temporary file beside it would have a name longer than 255 bytes.
    const name = `${'s'.repeat(245)}.yaml`
    filesIn(folder, { [name]: misspelt })
    const { exitCode, out, err } = await fix(name, '--format', 'json')
    expect(exitCode).toBe(74)
    expect(err).toMatch(`error: could not write ${name}: ENAMETOOLONG\n`)
    expect(listSchemaErrors('failure', JSON.parse(out))).toEqual([])
    expect(read(name)).toBe(misspelt)
  })

  test('replaces no pipe by a file: 74', () => {
    expect(spawnSync('mkfifo', [inFolder('pipe')]).status).toBe(0)
    filesIn(folder, { 'site.yaml': misspelt })
    const writer = spawn('sh', ['-c', 'cat "$0" > "$1"', inFolder('site.yaml'), inFolder('pipe')])
    const { status, stderr } = measuredRun(['validate', inFolder('pipe'), '--fix'])
    writer.kill()
    expect(status).toBe(74)
    expect(joinLines(stderr)).toContain('is not a regular file')
    expect(lstatSync(inFolder('pipe')).isFIFO()).toBe(true)
  })

  test('reports a file that could not be read: 66', async () => {
    expect((await fix('gone.yaml')).exitCode).toBe(66)
  })

  test('writes reports of the remaining problems', async () => {
    filesIn(folder, { 'site.yaml': misspelt.replace('16Gi', '0Gi') })
    const { out } = await fix('site.yaml', '--format', 'json', '--format', `sarif=${inFolder('sarif')}`)
    expect(JSON.parse(out).diagnostics).toMatchObject([{ code: 'volume/size' }])
    expect(JSON.parse(read('sarif')).runs[0].results).toMatchObject([{ ruleId: 'volume/size' }])
  })
})

describe('--fix --dry-run', () => {
  test('changes nothing, and prints a patch', async () => {
    filesIn(folder, { 'site.yaml': misspelt.replace('16Gi', '16gi') })
    utimesSync(inFolder('site.yaml'), 1, 1)
    const { exitCode, out } = await fix('site.yaml', '--dry-run')
    expect(exitCode).toBe(65)
    expect(statSync(inFolder('site.yaml')).mtimeMs).toBe(1000)
    // No secret is near these lines, so the patch applies.
    const args = ['apply', '-']
    const applied = spawnSync('git', args, { cwd: folder, input: fromHere(out), encoding: 'utf8' })
    expect([applied.status, applied.stderr]).toEqual([0, ''])
    const fixed = read('site.yaml')
    filesIn(folder, { 'site.yaml': misspelt.replace('16Gi', '16gi') })
    await fix('site.yaml')
    expect(read('site.yaml')).toBe(fixed)
    expect(fixed).toBe(fixedText)
  })

  test('prints no secret that is near a change', async () => {
    filesIn(folder, {
      'site.yaml': misspelt.replace('{ env: LANDFORM_ADMIN_PASSWORD }', 'hunter2\n    # token: hunter3'),
    })
    const { out } = await fix('site.yaml', '--dry-run')
    expect(out).toContain('-    fullname:')
    expect(out).not.toMatch(/hunter|hidden|password/)
    // The patch applies although lines are omitted.
    const applied = spawnSync('git', ['apply', '--check', '-'], {
      cwd: folder,
      input: fromHere(out),
      encoding: 'utf8',
    })
    expect([applied.status, applied.stderr]).toEqual([0, ''])
  })

  test('reports a secret on a changed line, which is redacted: the patch does not apply', async () => {
    const leaked = misspelt.replace('password: { env: LANDFORM_ADMIN_PASSWORD }', 'pasword: hunter2hunter2')
    filesIn(folder, { 'site.yaml': leaked })
    const { out, err } = await fix('site.yaml', '--dry-run')
    expect(out).toContain('+    password: [hidden]')
    expect(err).toContain('rejects this patch')
    filesIn(folder, { 'site.yaml': misspelt })
    expect((await fix('site.yaml', '--dry-run')).err).not.toContain('rejects')
  })

  test('prints a patch that fits tabs and the line ends of Windows', async () => {
    filesIn(folder, { 'site.yaml': misspelt.replace('fullname: ', 'fullname:\t').replaceAll('\n', '\r\n') })
    const { out } = await fix('site.yaml', '--dry-run')
    const applied = spawnSync('git', ['apply', '-'], { cwd: folder, input: fromHere(out), encoding: 'utf8' })
    expect(applied.status).toBe(0)
    expect(read('site.yaml')).toMatch(/fullName:\t *Site Administrator\r\n/)
  })

  test('prints nothing for a file without problems', async () => {
    filesIn(folder, { 'site.yaml': valid })
    expect(await fix('site.yaml', '--dry-run')).toEqual({ exitCode: 0, out: '', err: '' })
  })

  test('reports that it would fix nothing, and how to list the problems', async () => {
    filesIn(folder, { 'site.yaml': valid.replace('16Gi', '0Gi') })
    const err = 'would fix nothing; `landform validate` shows the problems\n'
    expect(await fix('site.yaml', '--dry-run')).toEqual({ exitCode: 65, out: '', err })
  })

  test('prints what it would change in standard input', async () => {
    const { out } = await landform(['validate', '-', '--fix', '--dry-run'], { input: misspelt })
    expect(out).toMatch(/^-{3} a\/<stdin>\n\+{3} b\/<stdin>\n@@/)
    expect(out).toContain('+  profile: development # why\n')
  })

  test('writes the other reports to their files, about the unchanged manifest', async () => {
    filesIn(folder, { 'site.yaml': misspelt })
    const { out } = await fix('site.yaml', '--dry-run', '--format', `json=${inFolder('report')}`)
    expect(out).toMatch(/^--- /)
    expect(JSON.parse(read('report')).diagnostics).toHaveLength(2)
    expect(read('site.yaml')).toBe(misspelt)
  })
})

/** A file with one fixable mistake, and a comment on its line. */
async function aFile(name = 'site.yaml', comment = '') {
  const folder = await temporaryFolder()
  const file = join(folder, name)
  const text = JSON.stringify(aManifest({ '/spec/profile': 'Development' }), null, 2)
  writeFileSync(file, text.replace(/"Development",?/, `$& # ${comment}`))
  return { file }
}

test('names and lines are escaped where they are printed', async () => {
  const { file } = await aFile('a\u001b[31m\u202e.yaml', 'a \u202e b')
  const host = fakeHost()
  await run(['validate', file, '--fix', '--dry-run'], host)
  await run(['validate', file, '--fix'], host)
  expect(harmIn(host.screen())).toEqual([])
  expect(host.out()).toContain('# a \\u{202e} b')
})

test('a line of context is no command for GitHub', async () => {
  const { file } = await aFile()
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('"profile"', '"logLevel": "x\n    ::stop-commands::y",\n "profile"'))
  const host = fakeHost()
  await run(['validate', file, '--fix', '--dry-run'], host)
  expect(host.out()).toContain('stop-commands')
  expect(host.out()).not.toMatch(/^\s*::/m)
})
