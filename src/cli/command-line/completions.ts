import yargs from 'yargs'
import { catalog } from '../../diagnostics/catalog.js'
import { formatDotted } from '../../diagnostics/pointer.js'
import { scenarioNames } from '../../emulator/scenarios/scenarios.js'
import { listFieldPointers } from '../../schema/manifest-schema.js'
import type { Argument, CommandEntry, Option, SuggestedList } from '../command.js'
import { type CommandTable, createParser } from './yargs-table.js'

/** Lists that completion offers, and that no command line is checked against. */
const lists: Readonly<Record<SuggestedList, () => readonly string[]>> = {
  'codes and fields': () => [...Object.keys(catalog), ...fields()],
  fields,
  scenarios: () => scenarioNames,
}

function fields(): readonly string[] {
  return listFieldPointers().map(formatDotted)
}

/** Lists the completions after these words, one a line; empty where the shell should complete files. */
export function completions(words: readonly string[], table: CommandTable): string {
  const typed = words.slice(0, -1)
  const entry = table.entries.find(({ name, formerly = name }) =>
    [name, formerly].some(one => {
      const [first, second] = one.split(' ')
      return first === typed[0] && (second === undefined || second === typed[1])
    }),
  )
  return listCompletions(words, table, current => {
    if (entry === undefined) return undefined
    const option = optionBefore(entry, typed)
    if (option !== undefined) return starting(option.choices ?? option.suggests, current)
    return current.startsWith('-') ? undefined : suggestWords(entry, current)
  })
}

/** The option whose value is being typed. Bash cuts `--name=value` at the sign. */
function optionBefore(
  { options }: CommandEntry,
  typed: readonly string[],
): Exclude<Option, { readonly kind: 'flag' }> | undefined {
  const last = typed.at(-1) === '=' ? typed.at(-2) : typed.at(-1)
  const option = last?.startsWith('--') === true ? options[last.slice(2)] : undefined
  return option === undefined || option.kind === 'flag' ? undefined : option
}

/** Suggests values of an argument: of several arguments, those of the one that has a list; else files. */
function suggestWords({ arguments: declared }: CommandEntry, current: string): readonly string[] | undefined {
  if (declared.length === 0) return undefined
  return starting(
    declared.map(({ suggests }: Argument) => suggests).find(list => list !== undefined),
    current,
  )
}

function starting(list: readonly string[] | SuggestedList | undefined, current: string): readonly string[] {
  const all = list === undefined ? [] : typeof list === 'string' ? lists[list]() : list
  return all.filter(word => word.startsWith(current))
}

/** The words that complete a command line, whose last word is being typed. */
function listCompletions(
  words: readonly string[],
  table: CommandTable,
  offer: (current: string) => readonly string[] | undefined,
): string {
  const line = ['--get-yargs-completions', 'landform', ...words]
  const reader = createParser(line, table, 80)
  let text = ''
  reader
    .completion(
      'completion',
      false,
      (current: string, _argv: unknown, others: () => void, done: (offered: string[]) => void) => {
        const offered = offer(current)
        if (offered === undefined) others()
        else done([...offered])
      },
    )
    .parse(line, {}, (_error, _argv, output) => {
      text = output
    })
  return text === '' ? '' : `${text}\n`
}

/** The script that has a shell ask the program for completions. */
export function completionScript(shell: string): string {
  let text = ''
  const { SHELL } = process.env
  // yargs reads the shell from the environment alone: here, and when it completes words.
  process.env['SHELL'] = shell
  yargs()
    .scriptName('landform')
    .exitProcess(false)
    .completion('completion', false)
    .parse(['completion'], {}, (_error, _argv, output) => {
      text = output
    })
  if (SHELL === undefined) delete process.env['SHELL']
  else process.env['SHELL'] = SHELL
  // With -f fish completes no files, and the script does not pass an empty word (yargs 18.2).
  const script = text
    .replace('complete -f ', 'complete ')
    .replace('(commandline -o)[2..-1]', '(commandline -opc) (commandline -ct)')
  return `${script.replaceAll('landform --get-yargs', `SHELL=${shell} landform --get-yargs`)}\n`
}
