import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gitBackend } from '../../src/state/git-backend.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

const canary = 'Canary-4711'
const commit = '1'.repeat(40)
const text = 'the first version'

/** A program like git, with a remote that has one version; it records the arguments and the environment of each run. */
const standIn = (runs: string) => `#!/bin/sh
{ printf 'argument %s\\n' "$@"; env | sed 's/^/variable /'; echo; } >>'${runs}'
case " $* " in
*' --get-url '*) echo https://git.example.org/sites.git ;;
*' ls-remote '*) for ref; do :; done; printf '${commit}\\t%s\\n' "$ref" ;;
*' rev-list '*) echo ${commit} ;;
*' cat-file '*) printf '${commit} blob ${text.length}\\n${text}\\n' ;;
*' fast-import '*) echo ${'2'.repeat(40)} ;;
esac
`

interface GitRun {
  readonly settings: readonly string[]
  readonly command: string
  readonly args: readonly string[]
  readonly variables: ReadonlyMap<string, string>
}

function parseRun(lines: readonly string[]): GitRun {
  const select = (kind: string) =>
    lines.filter(line => line.startsWith(`${kind} `)).map(line => line.slice(kind.length + 1))
  const args = select('argument')
  // git's own options with a separate value are `-c` and `-C`; the command is the first other argument.
  const isValue = (at: number) => /^-[cC]$/.test(args[at - 1] ?? '')
  const at = args.findIndex((word, index) => !word.startsWith('-') && !isValue(index))
  return {
    settings: args.filter((_, index) => index < at && args[index - 1] === '-c'),
    command: args[at] ?? '',
    args: args.slice(at + 1),
    variables: new Map(select('variable').map(line => [line.split('=', 1)[0] ?? '', line])),
  }
}

/** The runs of git for all operations of a backend, in a folder whose `.git` is a folder or a file. */
async function runsOfGit(dotGit: 'folder' | 'file', variables: Readonly<Record<string, string>> = {}) {
  const folder = await temporaryFolder()
  const runs = join(folder, 'runs')
  await writeFile(join(folder, 'git'), standIn(runs))
  await chmod(join(folder, 'git'), 0o755)
  if (dotGit === 'folder') await mkdir(join(folder, '.git'))
  else await writeFile(join(folder, '.git'), 'gitdir: /elsewhere\n')
  const environment = { PATH: `${folder}:${process.env['PATH']}`, ...variables }
  // A run takes a few milliseconds.
  const backend = gitBackend('origin', { folder, environment, deadlineMs: 60_000 })
  const series = backend.series('https://gis.example.org/admin')
  expect(await backend.address?.()).toBe('https://git.example.org/sites.git')
  expect(await series.newest()).toEqual({ ok: true, value: { serial: 1, text } })
  expect(await series.add({ serial: 2, text: 'next' })).toEqual({ ok: true, value: true })
  const recorded = (await readFile(runs, 'utf8')).trimEnd().split('\n\n')
  return recorded.map(one => parseRun(one.split('\n')))
}

const commands = [
  'ls-remote',
  'for-each-ref',
  'ls-remote',
  'fetch',
  'rev-list',
  'cat-file',
  'fast-import',
  'push',
  'update-ref',
]
/** If the repository is elsewhere, git first checks whether it trusts its owner. */
const runsIn = { folder: commands, file: ['rev-parse', ...commands] }

describe.each(['folder', 'file'] as const)('git in a clone whose `.git` is a %s', dotGit => {
  test('gets every variable except the secrets of a site', async () => {
    const runs = await runsOfGit(dotGit, {
      LANDFORM_TOKEN: canary,
      LANDFORM_ADMIN_PASSWORD: canary,
      LANDFORM_: canary,
      SSH_AUTH_SOCK: '/run/agent',
      MY_LANDFORM_PROXY: 'kept',
    })
    expect(runs.map(({ command }) => command)).toEqual(runsIn[dotGit])
    for (const { command, variables, ...words } of runs) {
      const secret = [...variables.keys()].filter(name => name.startsWith('LANDFORM_'))
      expect([command, secret]).toEqual([command, []])
      expect(JSON.stringify([words, ...variables.values()])).not.toContain(canary)
      expect(variables.get('SSH_AUTH_SOCK')).toBe('SSH_AUTH_SOCK=/run/agent')
      expect(variables.get('MY_LANDFORM_PROXY')).toBe('MY_LANDFORM_PROXY=kept')
    }
  })

  test('runs no hook of the clone', async () => {
    const runs = await runsOfGit(dotGit)
    expect(runs.map(({ command }) => command)).toEqual(runsIn[dotGit])
    for (const { command, args, settings } of runs) {
      // If a setting is repeated, git uses the last one.
      const folders = settings.filter(setting => /^core\.hooksPath=/i.test(setting))
      expect([command, folders.at(-1)]).toEqual([command, 'core.hooksPath=/dev/null'])
      expect([command, settings.includes('core.fsmonitor=false')]).toEqual([command, true])
      if (command === 'push') expect(args).toContain('--no-verify')
    }
  })
})
