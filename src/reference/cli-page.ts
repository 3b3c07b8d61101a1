import { type Entry, type Option, placesOf, type Touch } from '../cli/command.js'
import { codesOf } from './exit-code-facts.js'
import { anchorOf, code, notice, plain, table } from './markdown.js'

/** Builds `docs/reference/cli.md`: every command with its options. */
export function cliPage(entries: readonly Entry[]): string {
  const common = commonTo(entries)
  return [
    notice('the declarations of the commands, src/cli/declarations/'),
    '',
    '# The command line',
    '',
    'An unknown option or an extra argument is an error: nothing runs, and the exit code is 64. Options are allowed before',
    'and after the arguments, and `--` ends them. Reports go to stdout; progress, questions and messages go to stderr. No',
    'option takes a secret itself. [Exit codes](exit-codes.md) have a page of their own.',
    '',
    ...table(
      ['command', 'does', 'touches'],
      entries.map(entry => [
        `[${code(`landform ${entry.name}`)}](#${anchorOf(`landform ${entry.name}`)}) ${plain(placesOf(entry).join(' '))}`,
        plain(entry.describe),
        touched(entry),
      ]),
    ),
    '',
    '## Options of every command',
    '',
    ...optionTable(common),
    '',
    '`landform --version` prints the version, and `landform --help` lists the commands; after a command it prints the help of',
    'that command.',
    '',
    ...entries.flatMap(entry => sectionOf(entry, common)),
  ].join('\n')
}

const touchWords: Readonly<Record<Touch, string>> = {
  nothing: 'files only; no site',
  looks: 'reads the site, and changes nothing',
  changes: 'changes the site, or its state',
  serves: 'a port of this machine',
  rehearses: 'nothing; the site is emulated in the same process',
  fleet: 'the database of the fleet; `fleet worker` also the sites',
}

function touched({ touches, options }: Entry): string {
  const mayLook = Object.hasOwn(options, 'live')
  return mayLook ? 'files only; a site with `--live`' : touchWords[touches]
}

type Described = readonly (readonly [name: string, option: Option])[]

function commonTo(entries: readonly Entry[]): Described {
  const [first, ...others] = entries.map(({ options }) => Object.entries(options))
  return (first ?? []).filter(([name]) => others.every(options => options.some(([other]) => other === name)))
}

function sectionOf(entry: Entry, common: Described): readonly string[] {
  const { name, formerly, describe, options, examples } = entry
  const own = Object.entries(options).filter(([option]) => !common.some(([shared]) => shared === option))
  return [
    `## landform ${name}`,
    '',
    '```',
    ['landform', name, ...placesOf(entry), '[options]'].join(' '),
    '```',
    '',
    `${plain(describe)}. *Touches: ${touched(entry)}.*`,
    '',
    ...(formerly === undefined
      ? []
      : [`Formerly ${code(`landform ${formerly}`)}, which still works and prints a note.`, '']),
    ...argumentTable(entry),
    ...(own.length === 0 ? [] : [...optionTable(own), '']),
    `Exit codes: ${codesOf(name)
      .map(one => `[${one}](exit-codes.md#${one})`)
      .join(', ')}.`,
    '',
    ...examples.flatMap(([shown, purpose]) => [`- ${code(`landform ${shown}`)}: ${plain(purpose)}`]),
    '',
  ]
}

function argumentTable({ arguments: words }: Entry): readonly string[] {
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
  return [
    ...(option.kind !== 'flag' || option.short === undefined ? [] : [code(`-${option.short}`)]),
    code(`--${name}${value}`),
  ].join(', ')
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
