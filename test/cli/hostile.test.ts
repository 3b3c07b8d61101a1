import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { harmDone, harmIn } from '../support/harm-done.js'
import { hostileDocuments } from '../support/hostile-documents.js'
import { measuredRun } from '../support/measured-run.js'
import { parsedXml } from '../support/parsed-xml.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

let folder = ''
const inFolder = (name: string) => join(folder, name)
const files = hostileDocuments.map((document, index) => ({ ...document, file: `${index}.yaml` }))

beforeAll(async () => {
  folder = await temporaryFolder()
  for (const { file, content } of files) writeFileSync(inFolder(file), content)
})
afterAll(removeTemporaryFolders)

test.each(files)('$name is refused without harm', ({ file, code }) => {
  const checked = measuredRun(['validate', inFolder(file)])
  expect(harmDone(checked)).toEqual([])
  expect(checked.stdout).toContain(code)
})

const some = 16
const groups = Array.from({ length: Math.ceil(files.length / some) }, (_, at) =>
  files.slice(at * some, (at + 1) * some),
)

test.each(groups.map(group => [group[0]?.name, group] as const))(
  'the reports on %s, and on those after it, are documents without harm',
  (_, group) => {
    const formats = ['json', 'sarif', 'gitlab', 'junit', 'checkstyle', 'github', 'text'] as const
    const report = (format: string) => readFileSync(inFolder(format), 'utf8')
    const targets = formats.flatMap(format => ['--format', `${format}=${inFolder(format)}`])
    const { status, stdout } = measuredRun([
      'validate',
      ...group.map(({ file }) => inFolder(file)),
      ...targets,
    ])
    expect([status, stdout]).toEqual([65, ''])
    expect(JSON.parse(report('json')).summary).toMatchObject({ files: group.length })
    expect(JSON.parse(report('sarif')).runs).toHaveLength(1)
    expect(JSON.parse(report('gitlab')).length).toBeGreaterThanOrEqual(group.length)
    for (const format of ['junit', 'checkstyle'])
      expect(parsedXml(report(format)).children).toHaveLength(group.length)
    for (const format of formats) {
      // The commands of this format are its lines.
      const text =
        format === 'github' ? report(format).replaceAll(/^::(?:error|warning|notice) /gm, '') : report(format)
      expect([format, harmIn(text)]).toEqual([format, []])
    }
  },
)

test('commands for GitHub are one a line, and nothing of a manifest is one', () => {
  for (const { file } of files.filter(({ name }) => /commands|escapes|raw/.test(name))) {
    const lines = measuredRun(['validate', inFolder(file), '--format', 'github'])
      .stdout.trimEnd()
      .split('\n')
    expect(
      lines.filter(line => !/^::(?:error|warning|notice) (?:[a-zA-Z]+=[^:,]*,?)+::[^\r]+$/.test(line)),
    ).toEqual([])
  }
})

describe('files that are none', () => {
  test.each<readonly [string, number, string, () => void, string]>([
    ['a folder', 66, 'there is no YAML file in', () => mkdirSync(inFolder('folder')), 'folder'],
    ['nothing', 66, 'does not exist', () => {}, 'nowhere'],
    ['a name for a terminal', 66, 'there is no YAML file in', () => {}, '\u001b[31m\n::error::x\u202e'],
    ['a name that is too long', 66, 'cannot be read', () => {}, 'a'.repeat(300)],
    ['a link to itself', 66, 'cannot be read', () => symlinkSync('loop', inFolder('loop')), 'loop'],
    ['a link to nothing', 66, 'does not exist', () => symlinkSync('gone', inFolder('link')), 'link'],
    ['a device without content', 65, 'yaml/empty', () => {}, '/dev/null'],
    ['a device without an end', 65, 'yaml/too-large', () => {}, '/dev/zero'],
    ['a link to one', 65, 'leads out', () => symlinkSync('/dev/zero', inFolder('zero')), 'zero'],
    ['a link to a file elsewhere', 65, 'leads out', () => symlinkSync('/etc/passwd', inFolder('p')), 'p'],
  ])('%s ends with %i', (_, exitCode, said, make, name) => {
    make()
    const checked = measuredRun(['validate', name.startsWith('/') ? name : inFolder(name)])
    expect(harmDone(checked, exitCode)).toEqual([])
    expect(checked.stdout + checked.stderr).toContain(said)
  })

  test('a pipe is read once, and what was in it is explained', () => {
    const pipe = inFolder('pipe')
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
    const writer = spawn('sh', ['-c', 'echo "kind: x" > "$0"', pipe], { stdio: 'ignore' })
    const checked = measuredRun(['validate', pipe])
    writer.kill()
    expect(harmDone(checked)).toEqual([])
    expect(checked.stdout).toContain('`kind` cannot be `x`')
  })

  test('standard input without an end is left at the cap', () => {
    const checked = measuredRun(['validate', '-'], 'a'.repeat(1024 * 1024))
    expect(harmDone(checked)).toEqual([])
    expect(checked.stdout).toContain('yaml/too-large')
  })
})
