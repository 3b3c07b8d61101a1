import yargs, { type Argv } from 'yargs'
import { display } from '../report/display.js'
import { version } from '../version.js'
import type { Command } from './command.js'
import { type ExitCode, exitCodes } from './exit-code.js'
import type { Host } from './host.js'
import { standardInput } from './read-source.js'
import { UsageError } from './usage-error.js'

interface Entry {
  readonly usage: string
  readonly summary: string
  /** Loaded only when the command is used, so that a check of a file does not load what talks to a site. */
  load(): Promise<Command<never>>
}

const entries: readonly Entry[] = [
  {
    usage: 'validate <files..>',
    summary: 'Check manifests; needs no network, no secrets and no site',
    load: async () => (await import('./commands/validate.js')).validate as Command<never>,
  },
  {
    usage: 'plan <file>',
    summary: 'Show what apply would do; only ever reads',
    load: async () => (await import('./commands/plan.js')).plan as Command<never>,
  },
  {
    usage: 'apply <file>',
    summary: 'Bring the site to what the manifest says',
    load: async () => (await import('./commands/apply.js')).apply as Command<never>,
  },
  {
    usage: 'status <file>',
    summary: 'Show the state of the site and its stages',
    load: async () => (await import('./commands/status.js')).status as Command<never>,
  },
  {
    usage: 'schema',
    summary: 'Print the JSON Schema of manifests',
    load: async () => (await import('./commands/schema.js')).schema as Command<never>,
  },
  {
    usage: 'emulate',
    summary: 'Run the emulator of the service until interrupted',
    load: async () => (await import('./commands/emulate.js')).emulate as Command<never>,
  },
]

const closing = `Exit codes: 0 done, 2 changes (--detailed-exitcode), 3 still in progress, 4 outcome unknown,
5 service reports failure, 6 stale plan, 64 usage, 65 invalid manifest, 66 missing file or secret,
69 unreachable, 74 state, 75 service in trouble, 77 sign-in or TLS, 78 refused by policy.`

/** Runs one command line. Everything it prints goes through the host; the answer is the exit code. */
export async function run(argv: readonly string[], host: Host): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.internal
  const words = argv.map(word => (word === '-' ? standardInput : word))
  const parser = entries.reduce<Argv>(
    (built, entry) =>
      built.command({
        command: entry.usage,
        describe: entry.summary,
        builder: async inner => (await entry.load()).options(inner) as never,
        handler: async parsed => {
          refuseRepeated(parsed)
          exitCode = await (await entry.load()).run(parsed as never, host)
        },
      }),
    basicParser(),
  )
  try {
    let printed = ''
    await parser.parseAsync(words, {}, (_error: unknown, _argv: unknown, output: string) => {
      printed = output
    })
    if (printed === '') return exitCode
    host.stdout.write(`${printed}\n`)
    return exitCodes.done
  } catch (error) {
    if (!isUsageError(error)) throw error
    const [first = ''] = words
    const help = entries.some(({ usage }) => usage.split(' ')[0] === first)
      ? `landform ${first} --help`
      : 'landform --help'
    host.stderr.write(`error: ${display(error.message)}\nnext: ${help}\n`)
    return exitCodes.usage
  }
}

/** What yargs says, in words that help: its guess at a command alone, a count of arguments, a table of values. */
function worded(message: string): string {
  if (message.startsWith('Did you mean')) return `there is no such command. ${message}`
  if (message.startsWith('Not enough non-option arguments')) return 'name a manifest, such as site.yaml'
  const [, unknown] = /^Unknown argument: (.*)$/.exec(message) ?? []
  if (unknown !== undefined && !unknown.startsWith('-'))
    return `there is no option or command ${unknown} here`
  return message.replaceAll(/\s*\n\s*/g, ' ')
}

/** Ours, or what yargs throws by itself for an option without its value. */
function isUsageError(error: unknown): error is Error {
  return error instanceof UsageError || (error as Error).name === 'YError'
}

function basicParser(): Argv {
  return yargs()
    .scriptName('landform')
    .locale('en')
    .usage('$0 <command> [options]')
    .epilogue(closing)
    .version(version)
    .help()
    .alias('help', 'h')
    .strict()
    .demandCommand(1, 'name a command, such as validate, plan or apply')
    .recommendCommands()
    .showHelpOnFail(false)
    .exitProcess(false)
    .wrap(100)
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'greedy-arrays': false,
    })
    .fail((message: string | undefined, error: Error | undefined) => {
      // Must throw: otherwise the command still runs after, say, an unknown option.
      throw error ?? new UsageError(worded(message ?? 'the command line cannot be read'))
    })
}

/** An option given twice comes as a list; only those that are lists may. */
function refuseRepeated(parsed: Readonly<Record<string, unknown>>): void {
  const lists = ['_', 'files', 'format', 'allow-origin']
  const repeated = Object.keys(parsed).find(name => Array.isArray(parsed[name]) && !lists.includes(name))
  if (repeated !== undefined) throw new UsageError(`--${repeated} is given more than once`)
}
