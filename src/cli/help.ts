import { wrapped } from '../report/wrap.js'
import type { Argument, Command, Listed, Option } from './command.js'

const closing = `Exit codes: 0 done, 2 changes, drift or a failed test, 3 still in progress, 4 outcome unknown,
5 service reports failure, 6 stale plan, 7 locked by another run, 64 usage, 65 invalid manifest,
66 missing file or secret, 69 unreachable, 70 internal error, 74 state, 75 service in trouble,
77 sign-in or TLS, 78 refused by policy, 129 hung up, 130 interrupted, 143 terminated.`

/** What `landform --help` prints. */
export function overview(commands: readonly Listed[]): string {
  const lines = commands.map(({ name, usage, summary }) => [line(name, usage), summary] as const)
  return sections([
    'landform <command> [options]',
    `Commands:\n${columns(lines)}`,
    `Options:\n${columns([
      ['--version', 'Print the version'],
      ['-h, --help', 'Print the help; after a command, that of the command'],
    ])}`,
    closing,
  ])
}

/** What `landform <command> --help` prints. */
export function helpOf(listed: Listed, command: Command): string {
  const { arguments: words, options, examples, more = [] } = command
  const described = Object.entries(options).map(
    ([name, option]) => [spelling(name, option), option.describe + remarks(option)] as const,
  )
  return sections([
    `${line(listed.name, listed.usage)} [options]`,
    listed.summary,
    ...(words.length === 0 ? [] : [`Arguments:\n${columns(words.map(word))}`]),
    `Options:\n${columns([...described, ['-h, --help', 'Print this help']])}`,
    `Examples:\n${columns(examples.map(([shown, purpose]) => [`landform ${shown}`, purpose]))}`,
    ...more.map(([title, lines]) => `${title}:\n${columns(lines)}`),
  ])
}

function line(name: string, usage: string): string {
  return ['landform', name, usage].filter(part => part !== '').join(' ')
}

function word({ name, describe }: Argument): readonly [string, string] {
  return [name, describe]
}

function spelling(name: string, option: Option): string {
  const short = option.short === undefined ? '' : `-${option.short}, `
  return `${short}--${name}${option.kind === 'flag' ? '' : ` ${option.value}`}`
}

function remarks(option: Option): string {
  if (option.kind === 'flag') return ''
  const { choices, default: preset } = option
  return [
    ...(choices === undefined ? [] : [`: ${choices.join(', ')}`]),
    ...(preset === undefined ? [] : [` [default: ${preset}]`]),
  ].join('')
}

/** Of a line, and of what stands left in it. */
const widest = { line: 100, left: 34 }

function columns(lines: readonly (readonly [string, string])[]): string {
  const width = Math.min(widest.left, Math.max(...lines.map(([left]) => left.length)))
  const gap = ' '.repeat(width + 4)
  return lines
    .map(([left, right]) => {
      const explained = wrapped(right, widest.line - gap.length).join(`\n${gap}`)
      return left.length > width ? `  ${left}\n${gap}${explained}` : `  ${left.padEnd(width)}  ${explained}`
    })
    .join('\n')
}

function sections(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`
}
