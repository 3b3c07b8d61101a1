import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { landformProgram } from '../../support/landform-program.js'
import { runsHere } from '../../support/program.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { hasTmux, type Terminals, terminalsIn } from './real-terminal.js'

/** The command that starts each shell without the user's settings, and the documented line that turns completion on. */
const shells = [
  ['bash', 'bash --norc --noprofile', 'source <(landform completion bash)'],
  ['zsh', 'zsh -f', 'source <(landform completion zsh)'],
  [
    'zsh, from its folder of functions',
    'zsh -f',
    'landform completion zsh > .zfunc/_landform; fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit -i',
  ],
  ['fish', 'fish --no-config', 'landform completion fish | source'],
  [
    'fish, from its folder of completions',
    'sh -c "landform completion fish > ~/.config/fish/completions/landform.fish; exec fish"',
    // Written before fish starts, since fish rereads the folder only after a while.
    'true',
  ],
] as const

const missing: string[] = hasTmux() ? [] : ['tmux']
for (const shell of ['bash', 'zsh', 'fish']) if (!(await runsHere([shell, '--version']))) missing.push(shell)
if (missing.length > 0)
  process.stderr.write(`\nSKIPPED: completion in real shells, for there is no ${missing.join(', no ')}\n\n`)

let folder: string
let terminals: Terminals
/** Stands in for the program: it answers completion, and records the words of any other command line. */
const stand = `#!/bin/sh
case $1 in --get-yargs-completions | completion) exec '${process.execPath}' '${landformProgram}' "$@" ;; esac
printf '%s\\n' "$@" > "$HOME/words"
tmux wait-for -S typed
`

beforeAll(async () => {
  folder = await temporaryFolder()
  for (const name of ['site.yaml', 'two words.yaml', 'events.jsonl']) writeFileSync(join(folder, name), '')
  for (const name of ['bin', '.zfunc', '.config/fish/completions'])
    mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'bin', 'landform'), stand)
  chmodSync(join(folder, 'bin', 'landform'), 0o755)
  terminals = terminalsIn(folder)
})

describe.each(shells)('in a terminal with %s', (name, command, line) => {
  const isThere = !missing.some(program => program === 'tmux' || name.startsWith(program))
  const tried = isThere ? test : test.skip
  const terminal = name.replaceAll(/\W/g, '')

  /** Types a line and Enter. Returns the arguments with which the shell called the program. */
  const type = (...keys: readonly string[]): readonly string[] => {
    for (const key of [...keys, 'Enter']) terminals.type(terminal, key)
    terminals.awaitSignal('typed')
    return readFileSync(join(folder, 'words'), 'utf8').split('\n').slice(0, -1)
  }

  beforeAll(() => {
    if (!isThere) return
    const environment = `HOME='${folder}' PATH='${join(folder, 'bin')}':"$PATH" TERM="$TERM" TMUX="$TMUX"`
    terminals.open(terminal, { columns: 100, rows: 30 }, `cd '${folder}'; env -i ${environment} ${command}`)
    type(`${line}; landform begun`)
  })
  afterAll(() => {
    if (isThere) terminals.close(terminal)
  })

  const all: readonly (readonly [what: string, typed: string, words: readonly string[]])[] = [
    ['a command', 'landform vali', ['validate']],
    ['a second word', 'landform state unl', ['state', 'unlock']],
    ['an option', 'landform apply --acc', ['apply', '--accept-local-state']],
    ['a value', 'landform plan --format mark', ['plan', '--format', 'markdown']],
    ['a value after a sign', 'landform apply --progress=liv', ['apply', '--progress=live']],
    ['a scenario', 'landform emulate --scenario stu', ['emulate', '--scenario', 'stuck']],
    ['a field', 'landform explain spec.volumes.BLOB.pro', ['explain', 'spec.volumes.BLOB.provisioningType']],
    ['a code', 'landform explain volume/size-s', ['explain', 'volume/size-small']],
    ['a manifest', 'landform validate si', ['validate', 'site.yaml']],
    ['a second manifest', 'landform plan site.yaml tw', ['plan', 'site.yaml', 'two words.yaml']],
    ['the file of an option', 'landform apply --events ev', ['apply', '--events', 'events.jsonl']],
    ['the file after a sign', 'landform apply --events=ev', ['apply', '--events=events.jsonl']],
    ['the file of a format', 'landform plan --format json=ev', ['plan', '--format', 'json=events.jsonl']],
  ]
  // A shell loads the same script from its folder, so one word is enough to show that it was loaded.
  const isFromFolder = name.includes('from its folder')
  tried.each(isFromFolder ? all.slice(0, 1) : all)('Tab completes %s', (_, typed, words) => {
    expect(type(typed, 'Tab')).toEqual(words)
  })

  // Bash cannot show descriptions.
  const listing = name.startsWith('zsh')
    ? ['unsetopt always_last_prompt', 'Enter', 'landform emulate --scenario drop-', 'Tab', 'C-u']
    : ['complete -C "landform emulate --scenario drop-"', 'Enter']
  if (name !== 'bash')
    tried('values are listed with their descriptions', () => {
      type(...listing, 'landform end')
      expect(terminals.read(terminal, { withHistory: true })).toMatch(
        /drop-before-accept\s+(?:-- )?The first configure is lost before the service sees it/,
      )
    })
})
