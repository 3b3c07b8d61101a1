import {
  type CommandEntry,
  formatArguments,
  formatOptionValue,
  type Option,
  type Touch,
} from '../../src/cli/command.js'
import { listExitCodes } from './command-exit-codes.js'
import { buildAnchor, escapeMarkdown, formatCode, formatNotice, formatTable } from './markdown.js'

/** Builds `docs/reference/cli.md`: every command with its options. */
export function buildCliPage(entries: readonly CommandEntry[]): string {
  const common = findCommonOptions(entries)
  return [
    formatNotice('the declarations of the commands, src/cli/commands/'),
    '',
    '# The command line',
    '',
    'Options may stand before or after the arguments, and `--` ends them. An unknown option or an extra argument is an',
    'error: nothing runs, and the [exit code](exit-codes.md) is 64. Reports go to stdout; progress, questions and messages',
    'go to stderr. No option takes a secret itself.',
    '',
    ...formatTable(
      ['command', 'does', 'touches'],
      entries.map(entry => [
        `[${formatCode(`landform ${entry.name}`)}](#${buildAnchor(`landform ${entry.name}`)}) ${escapeMarkdown(formatArguments(entry).join(' '))}`,
        escapeMarkdown(entry.describe),
        touchWords[entry.touches],
      ]),
    ),
    '',
    '## Options of every command',
    '',
    ...formatOptions(common),
    '',
    '`landform --version` prints the version, `landform --help` lists the commands, and `landform COMMAND --help` prints',
    'the help of a command.',
    '',
    ...entries.flatMap(entry => formatCommand(entry, common)),
  ].join('\n')
}

const touchWords: Readonly<Record<Touch, string>> = {
  nothing: 'files only; no site',
  looks: 'reads the site, and changes nothing',
  sends: 'changes the site, and its state',
  changes: 'changes the state',
  serves: 'a port of this machine',
  rehearses: 'nothing; the site is emulated in the same process',
  ci: 'the comments of a pull or merge request; no site',
  fleet: 'the database of the fleet; `fleet worker` also the sites',
}

type Described = readonly (readonly [name: string, option: Option])[]

function findCommonOptions(entries: readonly CommandEntry[]): Described {
  const [first, ...others] = entries.map(({ options }) => Object.entries(options))
  return (first ?? []).filter(([name]) => others.every(options => options.some(([other]) => other === name)))
}

function formatCommand(entry: CommandEntry, common: Described): readonly string[] {
  const { name, describe, options, examples } = entry
  const own = Object.entries(options).filter(([option]) => !common.some(([shared]) => shared === option))
  return [
    `## landform ${name}`,
    '',
    '```',
    ['landform', name, ...formatArguments(entry), '[options]'].join(' '),
    '```',
    '',
    `${escapeMarkdown(describe)}. *Touches: ${touchWords[entry.touches]}.*`,
    '',
    ...formatArgumentRows(entry),
    ...(own.length === 0 ? [] : [...formatOptions(own), '']),
    `Exit codes: ${listExitCodes(name)
      .map(one => `[${one}](exit-codes.md#${one})`)
      .join(', ')}.`,
    '',
    ...examples.flatMap(([shown, purpose]) => [
      `- ${formatCode(`landform ${shown}`)}: ${escapeMarkdown(purpose)}`,
    ]),
    '',
  ]
}

function formatArgumentRows({ arguments: words }: CommandEntry): readonly string[] {
  if (words.length === 0) return []
  const rows = words.map(({ name, optional, many, describe }) => [
    formatCode(name),
    [optional === true ? 'may be left out' : 'needed', ...(many === true ? ['several'] : [])].join(', '),
    escapeMarkdown(describe),
  ])
  return [...formatTable(['word', '', 'meaning'], rows), '']
}

function formatOptions(options: Described): readonly string[] {
  return formatTable(
    ['option', 'default', 'meaning'],
    options.map(([name, option]) => [
      formatSpelling(name, option),
      formatDefault(option),
      formatMeaning(option),
    ]),
  )
}

function formatSpelling(name: string, option: Option): string {
  return [
    ...(option.kind !== 'flag' || option.short === undefined ? [] : [formatCode(`-${option.short}`)]),
    formatCode(`--${name}${formatOptionValue(option)}`),
  ].join(', ')
}

const presetInWords = / ?\[default: ([^\]]+)\]/

function formatDefault(option: Option): string {
  if (option.kind === 'flag') return 'off'
  const [, words] = presetInWords.exec(option.describe) ?? []
  return option.default === undefined ? escapeMarkdown(words ?? '') : formatCode(option.default)
}

function formatMeaning(option: Option): string {
  const text = escapeMarkdown(option.describe.replace(presetInWords, ''))
  if (option.kind === 'flag') return text
  const choices = option.choices === undefined ? '' : `: ${option.choices.map(formatCode).join(', ')}`
  return `${text}${choices}`
}
