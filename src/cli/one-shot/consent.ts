import { type ConsentSubject, decideConsent } from '../../operations/guard.js'
import { display } from '../../report/display.js'
import { exitCodes } from '../../report/exit-code.js'
import { shellWord } from '../../report/shell-word.js'
import type { Arguments, Declaration } from '../command.js'
import type { Values } from '../command-line/read-command-line.js'
import type { confirmOption, oneShotOptions, targetArgument } from '../command-options.js'
import type { Host } from '../host.js'
import { askFor, type StopSignal } from '../terminal/interaction.js'
import type { Failure } from '../terminal/output.js'

/** The values of the options that every one-shot operation has. */
export type OneShotArguments = Arguments<typeof oneShotOptions & typeof confirmOption, typeof targetArgument>

/** The question, and the same command with the missing confirmation. */
export interface ConfirmRequest {
  readonly guarded: ConsentSubject
  readonly question: string
  /** The same command with its confirmation. */
  readonly again: string
  /** Also ends the question. */
  readonly watch: StopSignal
}

/**
 * Decides from the options whether an operation may run, or returns a function that asks a person; `undefined` if
 * consent was given. A rehearsal needs no consent, and ignores `--confirm`, because the port of its emulator is not known
 * before.
 */
export function askOrRefuse(
  argv: OneShotArguments,
  host: Host,
  { guarded, again, question, watch }: ConfirmRequest,
): Failure | (() => Promise<Failure | undefined>) | undefined {
  const consent = decideConsent(guarded, {
    yes: argv.yes,
    confirm: argv.emulate ? undefined : argv.confirm,
    canAsk: host.isInteractive && !argv['no-input'],
  })
  if (consent.kind === 'given') return undefined
  const { confirmation, mustBeNamed } = guarded
  if (consent.kind === 'refused') {
    const message =
      consent.because === 'another-target'
        ? `--confirm does not match the target ${confirmation}`
        : mustBeNamed && argv.yes
          ? '--yes is not enough to confirm an operation that cannot be undone'
          : `confirmation required, but ${argv['no-input'] ? '--no-input is set' : 'input is not a terminal'}`
    return { exitCode: exitCodes.refused, message, next: [`check the target, then run \`${again}\``] }
  }
  const { expected } = consent
  const way = mustBeNamed ? `Type \`${display(expected)}\` to confirm: ` : 'Type `yes` to confirm: '
  return () => askFor(host, { text: `${question} ${way}`, expected, stop: watch })
}

/** Options that change only the output. */
const displayOptions = ['format', 'color', 'quiet', 'no-input']

/** Formats the command line without options that have their default. Options contain no secrets. */
export function formatCommandAgain({ name, arguments: words, options }: Declaration, argv: Values): string {
  const given = Object.entries(options).flatMap(([option, declared]) => {
    const value = argv[option]
    const preset = declared.kind === 'flag' ? undefined : declared.default
    if (displayOptions.includes(option) || value === undefined || value === false || value === preset)
      return []
    if (typeof value === 'string') return [`--${option}`, value]
    return value === true ? [`--${option}`] : value.flatMap(one => [`--${option}`, one])
  })
  const positional = words.flatMap(word => argv[word.name] ?? []).map(String)
  return ['landform', ...name.split(' '), ...positional, ...given].map(shellWord).join(' ')
}
