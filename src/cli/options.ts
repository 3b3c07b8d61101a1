import { durationMs, durationPattern } from '../schema/duration.js'
import type { Options } from './command.js'
import { UsageError } from './usage-error.js'

/** Where one rendering goes: to stdout, or to a file. */
export interface Target<F extends string> {
  readonly format: F
  readonly file: string | undefined
}

/** Options that every command has. */
export const commonOptions = {
  color: {
    kind: 'text',
    value: 'WHEN',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
    describe: 'Colour the output',
  },
  quiet: { kind: 'flag', short: 'q', describe: 'Print less on stderr' },
  'no-input': { kind: 'flag', describe: 'Never ask; what needs a yes is refused without --yes' },
} as const satisfies Options

/** Options of the commands that look at a site. */
export const siteOptions = {
  url: { kind: 'text', value: 'URL', describe: 'Use this address in place of spec.site.url' },
  emulate: { kind: 'flag', describe: 'Use a private emulator in place of the site; secrets may be absent' },
  'allow-origin': {
    kind: 'list',
    value: 'URL',
    describe: 'Refuse every site but this one, several times (also LANDFORM_ALLOWED_ORIGINS)',
  },
} as const satisfies Options

/** The option of the commands that hold a manifest against the rules of its team. */
export const policyOption = {
  policy: {
    kind: 'list',
    value: 'FILE',
    describe: 'Rules that count, too, several times; every landform.policy.yaml around the manifest does',
  },
} as const satisfies Options

/** Options of the commands that keep state, or look at it. */
export const stateOption = {
  state: {
    kind: 'text',
    value: 'file:DIR|git:REMOTE|postgres:env:NAME|postgres:file:PATH',
    describe: 'Where state is kept [default: file:.landform beside the manifest]',
  },
} as const satisfies Options

/** The option that shows the way of the requests, for commands that have no more to show. */
export const routeOption = {
  verbose: { kind: 'flag', short: 'v', describe: 'Also say how the site is reached' },
} as const satisfies Options

/** Options of the commands that wait for a site. */
export const waitOptions = {
  timeout: { kind: 'text', value: 'TIME', default: '3h', describe: 'How long to wait, such as 90s or 3h' },
  'poll-interval': {
    kind: 'text',
    value: 'TIME',
    describe: 'Time between two looks at the site [default: 5s, 200ms on loopback]',
  },
  notify: {
    kind: 'flag',
    describe: 'Ring and notify when the run ends; elsewhere than on a terminal, nothing',
  },
} as const satisfies Options

/** `--format` with the formats that a command has. */
export function formatOption(formats: readonly string[]) {
  return {
    format: {
      kind: 'list',
      value: 'FORMAT[=FILE]',
      suggests: formats,
      default: 'text',
      describe: `Output, several times: ${formats.join(', ')}`,
    },
  } as const satisfies Options
}

/** Reads the values of `--format`. At most one goes to stdout, which is one document. */
export function parseTargets<F extends string>(
  values: readonly string[],
  formats: readonly F[],
): readonly Target<F>[] {
  const targets = values.map(value => {
    const [name = '', ...rest] = value.split('=')
    const format = formats.find(candidate => candidate === name)
    if (format === undefined)
      throw new UsageError(`there is no format ${JSON.stringify(name)} here; use ${formats.join(' or ')}`)
    if (rest.length > 0 && rest.join('=') === '') throw new UsageError(`--format ${name}= names no file`)
    return { format, file: rest.length === 0 ? undefined : rest.join('=') }
  })
  if (targets.filter(({ file }) => file === undefined).length > 1)
    throw new UsageError(
      'only one --format can go to stdout; give the others a file, such as --format json=out.json',
    )
  return targets
}

/** Reads the options of waiting. `defaultPollMs` is known only once the site is. */
export function parsePatience(argv: {
  readonly timeout: string
  readonly 'poll-interval': string | undefined
}) {
  const timeoutMs = parseDuration('timeout', argv.timeout)
  const chosen = argv['poll-interval']
  const pollMs = chosen === undefined ? undefined : parseDuration('poll-interval', chosen)
  if (pollMs !== undefined && pollMs < 10) throw new UsageError('--poll-interval is at least 10ms')
  return (defaultPollMs: number) => ({ timeoutMs, pollMs: pollMs ?? defaultPollMs })
}

/** Reads a duration such as `500ms`, `90s`, `10m` or `3h`, in milliseconds. */
export function parseDuration(option: string, text: string): number {
  if (new RegExp(`^${durationPattern}$`).test(text)) return durationMs(text)
  throw new UsageError(`--${option} is a duration such as 500ms, 90s, 10m or 3h`)
}
