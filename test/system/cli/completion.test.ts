import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commands } from '../../../src/cli/commands.js'
import { run } from '../../../src/cli/run.js'
import { catalog } from '../../../src/diagnostics/catalog.js'
import { fakeHost } from '../../support/fake-host.js'
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.js'

const printed = async (shell: string) => {
  const host = fakeHost()
  await run(['completion', shell], host)
  return host.out()
}

describe('in a real bash', () => {
  let folder: string
  beforeAll(async () => {
    folder = await temporaryFolder()
    for (const name of ['site.yaml', 'sit*e two.yaml']) writeFileSync(join(folder, name), '')
    writeFileSync(join(folder, 'completion'), await printed('bash'))
  })
  afterAll(removeTemporaryFolders)

  /** What bash offers after these words, the last of which is being typed. */
  function offered(...words: readonly string[]): readonly string[] {
    const script =
      // biome-ignore lint/suspicious/noTemplateCurlyInString: an array of bash
      'source completion; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _landform; printf "%s\\n" "${COMPREPLY[@]}"'
    const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', 'landform', ...words], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    return stdout.split('\n').filter(Boolean)
  }

  test.each([
    ['commands', ['va'], ['validate']],
    [
      'all first words',
      [''],
      [...new Set(commands.map(({ name }) => name.replace(/ .*/, ''))), '--help', '--version'],
    ],
    ['the second word of a command', ['webhooks', ''], ['delete-all', '--help']],
    ['options of a command of two words', ['webhooks', 'delete-all', '--conf'], ['--confirm']],
    ['no option of a command that is not whole', ['webhooks', 'delete', '--conf'], []],
    ['files beside a word that is none', ['webhooks', 'delete-all', 'Roads.GPServer', 'site'], ['site.yaml']],
    ['no value where a secret is named', ['export-site', '--account-key', ''], []],
    ['options of the command', ['apply', '--ye'], ['--yes']],
    ['no option of another', ['validate', '--ye'], []],
    ['choices of an option', ['apply', '--progress', 'l'], ['live', 'lines']],
    ['formats', ['status', '--format', ''], ['text', 'json']],
    ['a value after the = that bash cuts off', ['validate', '--format', '=', 's'], ['sarif']],
    ['every value after the =', ['status', '--format', '='], ['text', 'json']],
    ['formats of its own', ['plan', '--format', 'm'], ['markdown']],
    ['versions', ['schema', '--service-version', '10'], ['10.9', '10.9.1']],
    ['nothing where anything may stand', ['plan', '--url', ''], []],
    ['files for a manifest', ['validate', 'si'], ['sit*e two.yaml', 'site.yaml']],
    ['files for a second manifest', ['validate', 'site.yaml', 'site'], ['site.yaml']],
    ['files for an option', ['apply', '--events', 'site'], ['site.yaml']],
    ['codes', ['explain', 'volume/size-s'], ['volume/size-small']],
    ['fields', ['explain', 'spec.volumes.BLOB.'], fieldsOf('BLOB')],
    ['scenarios', ['emulate', '--scenario', 'drop'], ['drop-before-accept', 'drop-after-accept']],
    ['scenarios of a rehearsal', ['apply', '--scenario', 'stu'], ['stuck']],
    ['shells', ['completion', ''], ['bash', 'zsh']],
    ['nothing for a strange command', ['aplly', ''], []],
  ])('offers %s', (_, words, expected) => {
    expect([...offered(...words)].sort()).toEqual([...expected].sort())
  })
})

function fieldsOf(component: string): readonly string[] {
  return ['provisioningType', 'size', 'storageClass', 'labels'].map(
    name => `spec.volumes.${component}.${name}`,
  )
}

test.each(['bash', 'zsh'])('the script for %s knows every command, option, choice and code', async shell => {
  const script = await printed(shell)
  for (const { name, load } of commands) {
    expect(script).toContain(name)
    for (const [option, described] of Object.entries((await load()).options)) {
      expect(script).toContain(`--${option}`)
      if (described.kind !== 'flag' && described.choices !== undefined)
        expect(script).toContain(described.choices.join(' '))
    }
  }
  for (const code of Object.keys(catalog)) expect(script).toContain(code)
})

// A zsh is seldom at hand: what can be held without one is the form of the script.
test('the script for zsh closes every quote, and has a branch for every command', async () => {
  const script = await printed('zsh')
  const [, body = ''] = /case \$command in\n([\s\S]*?)\n {2}esac/.exec(script) ?? []
  expect([...body.matchAll(/^ {4}'?([\w -]+)'?\)$/gm)].map(([, name]) => name)).toEqual(
    commands.map(({ name }) => name),
  )
  for (const line of script.split('\n').filter(line => !line.startsWith('#')))
    expect([...line.replaceAll(`'\\''`, '').matchAll(/'/g)].length % 2).toBe(0)
  // A description ends at the first bracket that is not escaped; nothing but the value may follow.
  for (const [, spec = ''] of body.matchAll(/'([^']*--[^']*)'/g))
    expect(spec).toMatch(
      /^(?:\*|\([^)]*\))-[\w-]+=?\[(?:[^\\[\]:]|\\.)*\](?::value:(?: |_files|\([^()]*\)))?$/,
    )
})

test.each([
  ['/bin/bash', 'complete -F _landform landform'],
  ['/usr/bin/zsh', '#compdef landform'],
])('the shell of the user, %s, is the one that is meant', async (shell, line) => {
  const host = fakeHost({ environment: { SHELL: shell } })
  expect(await run(['completion'], host)).toBe(0)
  expect(host.out()).toContain(line)
})

test('every field that completion offers is one that explain explains', async () => {
  const [, words = ''] = /'explain '\*\) _landform_words '([^']*)'/.exec(await printed('bash')) ?? []
  const subjects = words.split(' ')
  expect(subjects.length).toBeGreaterThan(120)
  for (const subject of subjects)
    expect([subject, await run(['explain', subject], fakeHost())]).toEqual([subject, 0])
})
