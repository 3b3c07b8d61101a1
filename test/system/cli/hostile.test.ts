import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAtLength } from '../../support/cases.js'
import { harmDone, harmIn } from '../../support/harm-done.js'
import { hostileDocuments } from '../../support/hostile-documents.js'
import { joinLines } from '../../support/join-lines.js'
import { landform } from '../../support/landform.js'
import { measuredRun } from '../../support/measured-run.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

let folder = ''
const inFolder = (name: string) => join(folder, name)
const files = hostileDocuments.map((document, index) => ({ ...document, file: `${index}.yaml` }))

beforeAll(async () => {
  folder = await temporaryFolder()
  for (const { file, content } of files) writeFileSync(inFolder(file), content)
})
/** Validates a file in this process. `measuredRun` below starts a process and measures it. */
async function checked(name: string, ...more: readonly string[]) {
  const { exitCode, out, err } = await landform(['validate', inFolder(name), ...more])
  return { exitCode, out, err, harm: [...harmIn(out), ...harmIn(err)] }
}

/** The members of the JSON report that are read here. */
interface JsonReport {
  readonly summary: { readonly files: number }
  readonly diagnostics: readonly { readonly file: string; readonly code: string; readonly severity: string }[]
}

const some = 16
// Every third file in `npm test`, and all with `PROPERTY_FACTOR=60`.
const due = files.filter((_, at) => isAtLength || at % 3 === 0)
const groups = Array.from({ length: Math.ceil(due.length / some) }, (_, at) =>
  due.slice(at * some, (at + 1) * some),
)

// Several files share a process, since starting one takes most of the time.
test.each(groups.map(group => [group[0]?.name, group] as const))(
  '%s, and the documents after it, are rejected without harm and with valid reports',
  (_, group) => {
    const formats = ['json', 'sarif', 'gitlab', 'github', 'text'] as const
    const report = (format: string) => readFileSync(inFolder(format), 'utf8')
    const targets = formats.flatMap(format => ['--format', `${format}=${inFolder(format)}`])
    const run = measuredRun(['validate', ...group.map(({ file }) => inFolder(file)), ...targets])
    expect([run.stdout, ...harmDone(run)]).toEqual([''])
    const { summary, diagnostics } = JSON.parse(report('json')) as JsonReport
    expect(summary).toMatchObject({ files: group.length })
    const isRefused = ({ file, code }: (typeof files)[number]) =>
      diagnostics.some(
        one => one.file === inFolder(file) && one.severity === 'error' && one.code.startsWith(code),
      )
    expect(group.filter(one => !isRefused(one)).map(({ name }) => name)).toEqual([])
    expect(JSON.parse(report('sarif')).runs).toHaveLength(1)
    expect(JSON.parse(report('gitlab')).length).toBeGreaterThanOrEqual(group.length)
    for (const format of formats) {
      // Lines of this format are commands.
      const text =
        format === 'github' ? report(format).replaceAll(/^::(?:error|warning|notice) /gm, '') : report(format)
      expect([format, harmIn(text)]).toEqual([format, []])
    }
  },
)

test('each GitHub command is one line, and no text of a manifest becomes one', async () => {
  for (const { file } of files.filter(({ name }) => /commands|escapes|raw/.test(name))) {
    const { out } = await checked(file, '--format', 'github')
    const lines = out.trimEnd().split('\n')
    expect(
      lines.filter(line => !/^::(?:error|warning|notice) (?:[a-zA-Z]+=[^:,]*,?)+::[^\r]+$/.test(line)),
    ).toEqual([])
  }
})

describe('a path that is not a manifest', () => {
  test.each<readonly [string, number, string, () => void, string]>([
    ['a folder', 66, 'no YAML or JSON file in', () => mkdirSync(inFolder('folder')), 'folder'],
    ['a missing file', 66, 'does not exist', () => {}, 'nowhere'],
    ['a name for a terminal', 66, 'no YAML or JSON file in', () => {}, '\u001b[31m\n::error::x\u202e'],
    ['a name that is too long', 66, 'cannot be read', () => {}, 'a'.repeat(300)],
    ['a link to itself', 66, 'cannot be read', () => symlinkSync('loop', inFolder('loop')), 'loop'],
    ['a broken link', 66, 'does not exist', () => symlinkSync('gone', inFolder('link')), 'link'],
    [
      'a link to a device',
      65,
      'is a link to a file outside',
      () => symlinkSync('/dev/zero', inFolder('zero')),
      'zero',
    ],
    [
      'a link to a file elsewhere',
      65,
      'is a link to a file outside',
      () => symlinkSync('/etc/passwd', inFolder('p')),
      'p',
    ],
  ])('%s ends with %i', async (_, exitCode, said, make, name) => {
    make()
    const { out, err, ...ending } = await checked(name)
    expect(ending).toEqual({ exitCode, harm: [] })
    expect(out + err).toContain(said)
  })

  test.each(['/dev/null', '/dev/zero'])('the device %s is not read', async name => {
    const { exitCode, out, err } = await landform(['validate', name])
    expect([exitCode, out + err]).toEqual([66, `error: the manifest ${name} is not a regular file\n`])
  })

  test('a pipe is read once, and its content can be explained', () => {
    const pipe = inFolder('pipe')
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
    const writer = spawn('sh', ['-c', 'echo "kind: x" > "$0"', pipe], { stdio: 'ignore' })
    const run = measuredRun(['validate', pipe])
    writer.kill()
    expect(harmDone(run)).toEqual([])
    expect(joinLines(run.stdout)).toContain('`x` is not an allowed value of `kind`')
  })

  test('endless standard input is read only up to the limit', () => {
    const run = measuredRun(['validate', '-'], 'a'.repeat(1024 * 1024))
    expect(harmDone(run)).toEqual([])
    expect(run.stdout).toContain('yaml/too-large')
  })
})
