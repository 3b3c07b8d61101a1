import { loadCommands, run } from '../../src/cli/run.js'
import { fakeHost } from '../support/fake-host.js'

const commands = await loadCommands()

/** The lines that the program prints for the words before the cursor. */
async function offered(words: readonly string[]): Promise<readonly string[]> {
  const host = fakeHost()
  expect(await run(['--get-yargs-completions', 'landform', ...words], host)).toBe(0)
  return host.out().split('\n').filter(Boolean)
}

const wordsOf = (lines: readonly string[]) => lines.map(line => line.replace(/\t.*/, ''))

const first = [...new Set(commands.map(({ name }) => name.replace(/ .*/, '')))]

test.each([
  ['the first words', [''], first],
  ['the options of every command', ['--v'], ['--version']],
  ['second words of a command', ['webhooks', ''], ['delete-all']],
  ['the commands of state', ['state', ''], ['show', 'unlock', 'discard-intent', 'move']],
  ['options of the command', ['apply', '--ye'], ['--yes']],
  ['options after a value', ['apply', '--progress', 'live', '--ye'], ['--yes']],
  ['options of a command with two words', ['webhooks', 'delete-all', '--conf'], ['--confirm']],
  ['choices of an option', ['apply', '--progress', 'l'], ['live', 'lines']],
  ['choices after an equals sign', ['apply', '--progress=l'], ['--progress=live', '--progress=lines']],
  ['choices after an equals sign, split as bash does', ['apply', '--progress', '=', 'l'], ['live', 'lines']],
  ['all choices if bash splits at the cursor', ['completion', '--color', '='], ['auto', 'always', 'never']],
  ['formats', ['status', '--format', ''], ['text', 'json']],
  ['formats of the command', ['plan', '--format', 'm'], ['markdown']],
  ['versions', ['schema', '--service-version', '10'], ['10.9', '10.9.1']],
  ['codes', ['explain', 'volume/size-s'], ['volume/size-small']],
  [
    'fields',
    ['explain', 'spec.volumes.BLOB.'],
    ['provisioningType', 'size', 'storageClass', 'labels'].map(name => `spec.volumes.BLOB.${name}`),
  ],
  ['scenarios', ['emulate', '--scenario', 'drop'], ['drop-before-accept', 'drop-after-accept']],
  ['shells', ['completion', ''], ['bash', 'zsh', 'fish', 'powershell']],
  ['nothing for a manifest, which is a file', ['validate', 'si'], []],
  ['nothing for a second manifest', ['validate', 'site.yaml', 'si'], []],
  ['nothing for the file of an option', ['apply', '--events', 'si'], []],
  ['nothing for the file of an option after an equals sign', ['apply', '--events=si'], []],
  ['nothing for a command that does not exist', ['aply', 'si'], []],
])('completion offers %s', async (_, words, expected) => {
  expect(wordsOf(await offered(words)).sort()).toEqual([...expected].sort())
})

test.each([
  ['a command', ['stat'], /^status\tShow/],
  ['a group', ['fle'], /^fleet\tApply many sites/],
  ['an option', ['apply', '--ye'], /^--yes\tDo not ask/],
  ['a scenario', ['emulate', '--scenario', 'stuck'], /^stuck\tOne stage never ends$/],
])('completion describes %s', async (_, words, line) => {
  expect((await offered(words)).join('\n')).toMatch(line)
})

test('completion offers only options that the command accepts', async () => {
  for (const { name, options } of commands) {
    const declared = Object.keys(options).map(option => `--${option}`)
    expect(wordsOf(await offered([...name.split(' '), '--']))).toEqual(['--help', ...declared])
  }
})

test('every word that completion offers for explain has an explanation', async () => {
  const subjects = wordsOf(await offered(['explain', '']))
  expect(subjects.length).toBeGreaterThan(120)
  for (const subject of subjects)
    expect([subject, await run(['explain', subject], fakeHost())]).toEqual([subject, 0])
})

test.each([
  ['/bin/bash', 'complete -o bashdefault -o default -F _landform landform'],
  ['/usr/bin/zsh', '#compdef landform'],
  ['/usr/bin/fish', 'complete -c landform'],
])('the shell is that of the user, %s', async (shell, line) => {
  const host = fakeHost({ environment: { SHELL: shell } })
  expect(await run(['completion'], host)).toBe(0)
  expect(host.out()).toContain(line)
})

test('an unknown shell is rejected', async () => {
  const host = fakeHost()
  expect(await run(['completion', 'tcsh'], host)).toBe(64)
  expect(host.err()).toContain('no completion for "tcsh"')
})
