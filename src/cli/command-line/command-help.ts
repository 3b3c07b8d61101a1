import { wrapLines } from '../../report/terminal.js'
import {
  type CommandEntry,
  formatArguments,
  formatOptionValue,
  type HelpLists,
  type Option,
  type Options,
} from '../command.js'

/**
 * The groups of options in the order of the help, each with its options, most used first. Other options are specific to
 * a command, and come before these.
 */
const groups = {
  Consent: [
    'yes',
    'confirm',
    'force',
    'require-signature',
    'allow-origin',
    'ignore-immutable',
    'accept-local-state',
    'no-license-check',
    'resubmit-after-rejection',
    'runner-is-gone',
  ],
  Waiting: ['timeout', 'wait', 'detach', 'wait-ready', 'lock-timeout', 'poll-interval', 'notify'],
  State: ['state'],
  Output: [
    'format',
    'events',
    'progress',
    'fail-on',
    'detailed-exitcode',
    'max-problems',
    'verbose',
    'quiet',
    'color',
    'no-input',
  ],
  Rehearsal: ['emulate', 'scenario'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Formats the help of one command: examples first, then its arguments, its options by group, and its own lists. */
export function formatCommandHelp(entry: CommandEntry, more: HelpLists, columns: number): string {
  const { name, aliases = [], describe, arguments: words, options, examples } = entry
  const grouped: readonly string[] = Object.values(groups).flat()
  const own = Object.keys(options).filter(option => !grouped.includes(option))
  const usage = ['landform', name, ...formatArguments(entry), '[options]'].join(' ')
  const also = aliases.length === 0 ? '' : ` (also: ${aliases.join(', ')})`
  const lists: HelpLists = [
    ['Examples', examples.map(([line, purpose]) => [`landform ${line}`, purpose])],
    ['Arguments', words.map(word => [word.name, word.describe])],
    ['Options', listOptions(options, own)],
    ...Object.entries(groups).map(([title, names]) => [title, listOptions(options, names)] as const),
    ...more,
  ]
  const end = 'Exit codes: landform --help; their page: docs/reference/exit-codes.md'
  const texts = [usage, `${describe}${also}`, ...lists.flatMap(list => formatList(list, columns)), end]
  return `${wrapLines(texts.join('\n\n'), columns)}\n`
}

function listOptions(options: Options, names: readonly string[]): HelpLists[number][1] {
  return names.flatMap(name => {
    const option = options[name]
    if (option === undefined) return []
    const short = option.kind === 'flag' && option.short !== undefined ? `-${option.short}, ` : ''
    return [[`${short}--${name}${formatOptionValue(option)}`, describeOption(option)] as const]
  })
}

function describeOption(option: Option): string {
  if (option.kind === 'flag') return option.describe
  const choices = option.choices === undefined ? '' : `: ${option.choices.join(', ')}`
  const preset = option.default === undefined ? '' : ` [default: ${option.default}]`
  return `${option.describe}${choices}${preset}`
}

/** Formats a list under its title. Command lines are never broken, so that they can be copied. */
function formatList([title, lines]: HelpLists[number], columns: number): readonly string[] {
  if (lines.length === 0) return []
  const widest = Math.max(...lines.map(([left]) => left.length))
  const left = Math.min(widest, Math.max(24, Math.floor(columns / 3)))
  const gap = ' '.repeat(left + 4)
  const rows = lines.map(([term, meaning]) => {
    return term.length > left ? `  ${term}\n${gap}${meaning}` : `  ${term.padEnd(left)}  ${meaning}`
  })
  return [[`${title}:`, ...rows].join('\n')]
}
