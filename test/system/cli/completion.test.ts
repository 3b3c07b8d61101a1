import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commands, run } from '../../../src/cli/run.js'
import { fakeHost } from '../../support/fake-host.js'
import { landformProgram } from '../../support/landform-program.js'
import { runsHere } from '../../support/program.js'
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.js'

let folder: string
let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  folder = await temporaryFolder()
  for (const name of ['site.yaml', 'sit*e two.yaml']) writeFileSync(join(folder, name), '')
  mkdirSync(join(folder, 'bin'))
  const program = join(folder, 'bin', 'landform')
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${landformProgram}' "$@"\n`)
  chmodSync(program, 0o755)
  const { PATH = '' } = process.env
  environment = { PATH: `${join(folder, 'bin')}:${PATH}`, HOME: folder, TERM: 'dumb' }
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout } = spawnSync('landform', ['completion', shell], { encoding: 'utf8', env: environment })
    writeFileSync(join(folder, `completion.${shell}`), stdout)
  }
})
afterAll(removeTemporaryFolders)

/** What a shell prints that was given a script. */
function said(shell: string, words: readonly string[], script: string): readonly string[] {
  const options = { cwd: folder, encoding: 'utf8', env: environment } as const
  const { stdout, stderr } = spawnSync(shell, [...words, '-c', script], options)
  expect(stderr).toBe('')
  return stdout.split('\n').filter(Boolean)
}

const quoted = (word: string) => `'${word}'`

type Offered = (words: readonly string[]) => readonly string[]

const inShell: Readonly<Record<string, Offered>> = {
  // What bash would add by itself, files, is not asked for here.
  bash: words =>
    said(
      'bash',
      ['--norc'],
      `source completion.bash; COMP_WORDS=(landform ${words.map(quoted).join(' ')}); COMP_CWORD=${words.length}
      _landform_yargs_completions; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ),
  fish: words =>
    said('fish', ['--no-config'], `source completion.fish; complete -C "landform ${words.join(' ')}"`).map(
      line => line.replace(/\t.*/, ''),
    ),
  // The arrays of zsh are what its own completion would show: here they are printed in place of that.
  zsh: words =>
    said(
      'zsh',
      ['-f'],
      `compdef() { :; }; _describe() { print -l -- \${(P)2%%:*}; }; _default() { :; }
      source completion.zsh
      words=(landform ${words.map(quoted).join(' ')}); CURRENT=$#words; BUFFER="$words"; CURSOR=$#BUFFER
      _landform_yargs_completions`,
    ),
}

const first = [...new Set(commands.map(({ name }) => name.replace(/ .*/, '')))]

const installed: string[] = []
for (const shell of Object.keys(inShell)) if (await runsHere([shell, '--version'])) installed.push(shell)

describe.each(Object.keys(inShell))('in a real %s', shell => {
  const tried = installed.includes(shell) ? test : test.skip

  tried.each([
    ['the first words', [''], first],
    ['second words', ['webhooks', ''], ['delete-all']],
    ['the commands of state', ['state', ''], ['show', 'unlock', 'discard-intent', 'move']],
    ['options of the command', ['apply', '--ye'], ['--yes']],
    ['options of a command of two words', ['webhooks', 'delete-all', '--conf'], ['--confirm']],
    ['choices of an option', ['apply', '--progress', 'l'], ['live', 'lines']],
    ['formats', ['status', '--format', ''], ['text', 'json']],
    ['formats of its own', ['plan', '--format', 'm'], ['markdown']],
    ['versions', ['schema', '--service-version', '10'], ['10.9', '10.9.1']],
    ['codes', ['explain', 'volume/size-s'], ['volume/size-small']],
    [
      'fields',
      ['explain', 'spec.volumes.BLOB.'],
      ['provisioningType', 'size', 'storageClass', 'labels'].map(name => `spec.volumes.BLOB.${name}`),
    ],
    ['scenarios', ['emulate', '--scenario', 'drop'], ['drop-before-accept', 'drop-after-accept']],
    ['shells', ['completion', ''], ['bash', 'zsh', 'fish']],
  ])('offers %s', (_, words, expected) => {
    const current = words.at(-1) ?? ''
    // Every shell keeps of these what begins as the word does; fish has files beside it, and each names options where nothing is typed.
    const isWord = (word: string) =>
      word.startsWith(current) &&
      !/^(?:bin\/|completion\.|sit)/.test(word) &&
      (current !== '' || !word.startsWith('-'))
    expect((inShell[shell] as Offered)(words).filter(isWord).sort()).toEqual([...expected].sort())
  })

  // The shell itself then offers files.
  tried.each([
    ['for a manifest', ['validate', 'si']],
    ['for a second manifest', ['validate', 'site.yaml', 'si']],
    ['for an option', ['apply', '--events', 'si']],
    ['where anything may stand', ['plan', '--url', 'si']],
  ])('offers no word of its own %s', (_, words) => {
    const offered = (inShell[shell] as Offered)(words)
    expect(offered.filter(word => !word.includes('.yaml'))).toEqual([])
  })
})

test.each([
  ['/bin/bash', 'complete -o bashdefault -o default -F _landform_yargs_completions landform'],
  ['/usr/bin/zsh', '#compdef landform'],
  ['/usr/bin/fish', 'complete -c landform'],
])('the shell of the user, %s, is the one that is meant', async (shell, line) => {
  const host = fakeHost({ environment: { SHELL: shell } })
  expect(await run(['completion'], host)).toBe(0)
  expect(host.out()).toContain(line)
})

test('a shell that is not known is refused', async () => {
  const host = fakeHost()
  expect(await run(['completion', 'tcsh'], host)).toBe(64)
  expect(host.err()).toContain('no completion for "tcsh"')
})

test('every word that completion offers for explain is one that it explains', async () => {
  const host = fakeHost()
  await run(['--get-yargs-completions', 'landform', 'explain', ''], host)
  const subjects = host.out().split('\n').filter(Boolean)
  expect(subjects.length).toBeGreaterThan(120)
  for (const subject of subjects)
    expect([subject, await run(['explain', subject], fakeHost())]).toEqual([subject, 0])
})
