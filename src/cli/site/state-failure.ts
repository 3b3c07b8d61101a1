import { describeProblem } from '../../report/problem-text.js'
import type { StateFailure } from '../../state/state-failure.js'
import { exitCodeOfState } from '../exit-code.js'
import { type Failure, shellWord } from '../terminal/output.js'

/** State that cannot be used, and that nothing was done with. */
export function stateFailureOf(failure: StateFailure): Failure {
  return {
    exitCode: exitCodeOfState(failure),
    message: describeProblem({ kind: 'state', failure }),
    next: remedyOf(failure),
  }
}

function remedyOf({ kind, to, calledBy, where }: StateFailure): string {
  if (kind === 'promised-elsewhere')
    return `go on with that state, or move it with \`landform state move\`. If it is lost and you are sure that nothing came of the request: \`rm -r ${shellWord(where)}\``
  if (kind !== 'moved') return remedies[kind]
  if (to?.site === undefined || calledBy === undefined)
    return 'finish the move, or name the state location that it moved to; nothing was sent'
  return `if it is the same site: \`landform state move ${shellWord(to.site)} ${shellWord(calledBy)} MANIFEST\`; another site needs another \`metadata.name\``
}

const again = 'then run the same command again'

/** State that is taken away also takes away whether `configure` was sent. */
const remedies: Readonly<Record<Exclude<StateFailure['kind'], 'moved' | 'promised-elsewhere'>, string>> = {
  unreadable: `mend that, ${again}; nothing was sent`,
  unwritable: `mend that, ${again}`,
  damaged:
    'bring it back from a copy; where it is removed, nobody knows any more whether configure was sent. Nothing was sent now',
  newer: 'use the Landform that wrote it; nothing was sent or changed',
  foreign: 'name the place of the state of this site with --state; nothing was sent',
  overtaken: 'wait for the other run, then run the same command again',
}
