import type { NextCommands } from '../../report/endings/ending.js'
import { shellWord } from '../../report/shell-word.js'
import type { Arguments as ValuesOf } from '../command.js'
import type { applyOptions } from '../command-options.js'

/** `file` is undefined if only the address of the site was given. */
type Arguments = Pick<ValuesOf<typeof applyOptions>, 'url' | 'state' | 'emulate'> &
  Partial<ValuesOf<typeof applyOptions>> & { readonly file: string | undefined }

/** The next commands, including that for a saved plan. */
export interface TypedCommands extends NextCommands {
  /** Performs a plan from a file. */
  perform(saved: string): string
}

/** Formats the next commands for the same site, with the options of this one. */
export function nextCommands(argv: Arguments): TypedCommands {
  const { file, url, state, yes = false, timeout = '3h', emulate, 'allow-origin': origins = [] } = argv
  const address = [
    ...option('--url', url),
    ...option('--state', state),
    ...origins.flatMap(origin => ['--allow-origin', String(origin)]),
    ...(emulate ? ['--emulate'] : []),
  ]
  const site = [file ?? 'site.yaml', ...address]
  const rules = (argv.policy ?? []).flatMap(file => ['--policy', file])
  const planned = [
    ...site,
    ...rules,
    ...(argv['ignore-immutable'] ?? []).flatMap(field => ['--ignore-immutable', field]),
  ]
  const kept = [...(file === undefined ? [] : [file]), ...address]
  const waitWords = [
    ...(timeout === '3h' ? [] : ['--timeout', timeout]),
    ...option('--poll-interval', argv['poll-interval']),
    ...(argv['accept-local-state'] === true ? ['--accept-local-state'] : []),
  ]
  const formatCommand = (words: readonly string[]) => ['landform', ...words].map(shellWord).join(' ')
  return {
    apply: formatCommand(['apply', ...planned, ...(yes ? ['--yes'] : []), ...waitWords]),
    plan: formatCommand(['plan', ...planned]),
    adopt: formatCommand(['adopt', ...site]),
    sign: formatCommand(['plan', file ?? 'site.yaml', '--out', 'plan.json', '--sign-key', 'file:KEY']),
    perform: saved => formatCommand(['apply', saved, ...option('--manifest', file), ...address, ...rules]),
    status: formatCommand(['status', ...site]),
    show: formatCommand(['state', 'show', ...kept]),
    discardIntent: nonce => formatCommand(['state', 'discard-intent', ...kept, '--intent', nonce, '--wait']),
    move: (from, to) =>
      formatCommand(['state', 'move', from, to, file ?? 'site.yaml', ...option('--state', state)]),
    unlock: nonce => formatCommand(['state', 'unlock', ...kept, '--nonce', nonce]),
  }
}

function option(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [name, value]
}
