import type { NextCommands } from '../report/outcome-text.js'
import { shellWord } from './output.js'
import type { SiteArguments } from './session.js'

type Arguments = SiteArguments & {
  readonly yes: boolean
  readonly 'accept-local-state'?: boolean
  readonly timeout: string
  readonly 'poll-interval': string | undefined
}

/** The commands for the same site, as a person would type them after this one. */
export function nextCommands(argv: Arguments): NextCommands {
  const { file, url, state, yes, timeout, emulate, 'allow-origin': origins = [] } = argv
  const site = [
    file,
    ...option('--url', url),
    ...option('--state', state),
    ...origins.flatMap(origin => ['--allow-origin', String(origin)]),
    ...(emulate ? ['--emulate'] : []),
  ]
  const pace = [
    ...(timeout === '3h' ? [] : ['--timeout', timeout]),
    ...option('--poll-interval', argv['poll-interval']),
    ...(argv['accept-local-state'] === true ? ['--accept-local-state'] : []),
  ]
  const typed = (words: readonly string[]) => ['landform', ...words].map(shellWord).join(' ')
  return {
    apply: typed(['apply', ...site, ...(yes ? ['--yes'] : []), ...pace]),
    plan: typed(['plan', ...site]),
    status: typed(['status', ...site]),
    resubmit: nonce => typed(['state', 'resubmit', '--intent', nonce, ...site]),
    unlock: nonce => typed(['state', 'unlock', '--nonce', nonce, ...site]),
  }
}

function option(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [name, value]
}
