import type { Command, Option, Touch } from '../cli/command.js'
import { codesOf } from './exit-code-facts.js'
import { type LoadedEntry, loadedCommands } from './loaded-commands.js'
import { anchorOf, code, notice, plain, table } from './markdown.js'

/** Every command with its options: the content of `docs/reference/cli.md`. */
export async function cliPage(): Promise<string> {
  const entries = await loadedCommands()
  const common = await commonTo(entries)
  return [
    notice('the table of commands, src/cli/commands.ts'),
    '',
    '# The command line',
    '',
    'What is not known is never guessed: an unknown option or a word too many runs nothing and ends with 64. Options may',
    'stand before or after the words, and `--` ends them. Reports go to stdout; progress, questions and messages go to',
    'stderr. No option takes a secret itself. What the codes mean is on [a page of its own](exit-codes.md).',
    '',
    ...table(
      ['command', 'does', 'touches'],
      entries.map(entry => [
        `[${code(`landform ${entry.name}`)}](#${anchorOf(`landform ${entry.name}`)}) ${plain(entry.usage)}`,
        plain(entry.summary),
        touched(entry),
      ]),
    ),
    '',
    '## Options of every command',
    '',
    ...optionTable(common),
    '',
    '`landform --version` prints the version, and `landform --help` the list of commands; after a command it is the help of that',
    'command.',
    '',
    ...entries.flatMap(entry => sectionOf(entry, common)),
  ].join('\n')
}

const touchWords: Readonly<Record<Touch, string>> = {
  nothing: 'files only; no site',
  looks: 'looks at the site, and changes nothing',
  changes: 'changes the site, or what is kept about it',
  serves: 'a port of this machine',
  rehearses: 'nothing; the site is an emulated one in the same process',
  fleet: 'the database of the fleet; `fleet worker` also the sites',
}

function touched({ touches, command }: LoadedEntry): string {
  const mayLook = Object.hasOwn(command.options, 'live')
  return mayLook ? 'files only; a site with `--live`' : touchWords[touches]
}

type Described = readonly (readonly [name: string, option: Option])[]

async function commonTo(entries: readonly LoadedEntry[]): Promise<Described> {
  const [first, ...others] = entries.map(({ command }) => Object.entries(command.options))
  return (first ?? []).filter(([name]) => others.every(options => options.some(([other]) => other === name)))
}

function sectionOf(entry: LoadedEntry, common: Described): readonly string[] {
  const { name, usage, summary, command } = entry
  const own = Object.entries(command.options).filter(
    ([option]) => !common.some(([shared]) => shared === option),
  )
  return [
    `## landform ${name}`,
    '',
    '```',
    ['landform', name, usage, '[options]'].filter(part => part !== '').join(' '),
    '```',
    '',
    `${plain(summary)}. *Touches: ${touched(entry)}.*`,
    '',
    ...argumentTable(command),
    ...(own.length === 0 ? [] : [...optionTable(own), '']),
    `Exit codes: ${codesOf(name)
      .map(one => `[${one}](exit-codes.md#${one})`)
      .join(', ')}.`,
    '',
    ...command.examples.flatMap(([shown, purpose]) => [`- ${code(`landform ${shown}`)}: ${plain(purpose)}`]),
    '',
  ]
}

function argumentTable({ arguments: words }: Command): readonly string[] {
  if (words.length === 0) return []
  const rows = words.map(({ name, optional, many, describe }) => [
    code(name),
    [optional === true ? 'may be left out' : 'needed', ...(many === true ? ['several'] : [])].join(', '),
    plain(describe),
  ])
  return [...table(['word', '', 'meaning'], rows), '']
}

function optionTable(options: Described): readonly string[] {
  return table(
    ['option', 'default', 'meaning'],
    options.map(([name, option]) => [spelling(name, option), defaultOf(option), meaningOf(option)]),
  )
}

function spelling(name: string, option: Option): string {
  const value = option.kind === 'flag' ? '' : ` ${option.value}`
  return [...(option.short === undefined ? [] : [code(`-${option.short}`)]), code(`--${name}${value}`)].join(
    ', ',
  )
}

const presetInWords = / ?\[default: ([^\]]+)\]/

function defaultOf(option: Option): string {
  if (option.kind === 'flag') return 'off'
  const [, words] = presetInWords.exec(option.describe) ?? []
  return option.default === undefined ? plain(words ?? '') : code(option.default)
}

function meaningOf(option: Option): string {
  const text = plain(option.describe.replace(presetInWords, ''))
  if (option.kind === 'flag') return text
  const choices = option.choices === undefined ? '' : `: ${option.choices.map(code).join(', ')}`
  return `${text}${choices}`
}
