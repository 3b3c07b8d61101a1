import type { StateFailure } from '../../state/state-failure.js'
import type { CommandFailure } from '../command-failure.js'
import { display } from '../display.js'
import { shellWord } from '../shell-word.js'
import { describeStateReason } from '../state-reasons.js'
import {
  buildFailure,
  causes,
  type Ending,
  endOfCause,
  type FailureCause,
  type NextCommands,
} from './ending.js'

/** The commands that an ending may name; `undefined` if no manifest is known. */
type StateCommands = Pick<NextCommands, 'move'> | undefined

const describeReason = ({ reason }: StateFailure) => display(describeStateReason(reason))
const say = (failure: StateFailure) =>
  `the state ${display(failure.where)} is ${failure.kind}: ${describeReason(failure)}`

const again = 'then run the same command again'

const restore = 'restore it from a backup: without it, it is unknown whether configure was sent'

/** The causes by the kind of the failure. `causeOfState` also considers its reason. */
export const causeOfStateKind = causes<StateFailure, StateCommands>({
  unreadable: { title: 'the state cannot be read', say, exit: 'state', fix: () => `fix that, ${again}` },
  unwritable: { title: 'the state cannot be written', say, exit: 'state', fix: () => `fix that, ${again}` },
  damaged: { title: 'the state is damaged', say, exit: 'state', fix: () => restore },
  newer: {
    title: 'the state was written by a newer Landform',
    say,
    exit: 'refused',
    fix: () => 'use the version of Landform that wrote it; nothing was changed',
  },
  foreign: {
    title: 'the state belongs to another site',
    say,
    exit: 'refused',
    fix: () => 'name the state location of this site with --state',
  },
  overtaken: {
    title: 'another run wrote the state in the meantime',
    say,
    exit: 'locked',
    fix: () => `wait for the other run, ${again}`,
  },
  moved: {
    title: 'the state is elsewhere, or belongs to another address of the site',
    say: describeReason,
    exit: 'refused',
    fix: ({ to, calledBy }, run) =>
      to?.site === undefined || calledBy === undefined
        ? 'finish the move, or name the state location that it moved to'
        : `if it is the same site: ${suggestMove([to.site, calledBy], run)}; another site needs another \`metadata.name\``,
  },
  'promised-elsewhere': {
    title: 'a submission intent is recorded with other state on this machine',
    say: describeReason,
    exit: 'refused',
    fix: ({ reason, where }) => [
      reason.kind === 'intent-missing'
        ? 'restore the newest state in that location'
        : 'use that state location, or move it with `landform state move`',
      `if it is lost and you are sure that the request did not reach the service: \`rm ${shellWord(where)}\``,
    ],
  },
})

/** Explains why the state could not be used. */
export function causeOfState(failure: StateFailure): FailureCause<StateCommands> {
  const cause = causeOfStateKind(failure)
  return { ...cause, fix: run => suggestByReason(failure, run) ?? cause.fix(run) }
}

/** Builds the ending of a command that could not use the state, and did not change it. */
export function endOfState({ failure }: { readonly failure: StateFailure }): Ending<StateCommands> {
  return endOfCause(causeOfState(failure))
}

/** Builds the failure for state that cannot be used, and was not changed. */
export function toStateFailure(failure: StateFailure, run?: StateCommands): CommandFailure {
  return buildFailure(endOfState({ failure }), run)
}

/** Suggests steps for reasons with a remedy of their own, whatever the kind of the failure. */
function suggestByReason(
  { reason, calledBy }: StateFailure,
  run: StateCommands,
): readonly string[] | undefined {
  if (reason.kind === 'renamed-site')
    return [
      `if it is the same site: ${suggestMove([reason.site, calledBy], run)}`,
      `if it is a new site: put its manifest into another file, and finish \`${reason.name}\` with this one`,
    ]
  if (reason.kind === 'missing-request')
    return [
      restore,
      `if it is lost and you are sure that the request did not reach the service: remove ${reason.recordedIn}, too`,
    ]
  if (reason.kind !== 'not-arrived') return undefined
  return [
    reason.found === 'older-copy'
      ? `if the move was interrupted, run it again: \`landform state move\`; otherwise ${restore}`
      : `check that the location still leads to the same place as when the state moved (a mounted folder, the remote of the clone, a variable), ${again}`,
  ]
}

function suggestMove(
  [from, to = '']: readonly [from: string, to: string | undefined],
  run: StateCommands,
): string {
  return `\`${run?.move(from, to) ?? `landform state move ${shellWord(from)} ${shellWord(to)} site.yaml`}\``
}
