import { normalizeOutput, shortened } from './normalize-output.js'
import { type Place, type Running, typed } from './shell.js'

/** What is told, piece by piece; texts are settled already. */
export type Told =
  | { readonly kind: 'title'; readonly text: string }
  | { readonly kind: 'prose'; readonly text: string }
  | {
      readonly kind: 'session'
      readonly where: string
      readonly command: string
      readonly output: string
      readonly ending: string
    }
  | { readonly kind: 'shown'; readonly language: string; readonly text: string }
  | { readonly kind: 'check'; readonly what: string; readonly holds: boolean }

interface Expected {
  /** The exit code; without one the command is to end well. */
  readonly exit?: number
  /** The lines of the output to show; without any, all of them. */
  readonly keep?: readonly RegExp[]
  /** What happens while it runs. */
  readonly meanwhile?: (running: Running) => Promise<void>
}

/** How a chapter is told. */
export interface Teller {
  prose(text: string): void
  /** Types a command, shows it with what it says, and checks how it ends; gives the whole output as it was. */
  types(place: Place, command: string, expected?: Expected): Promise<string>
  shows(language: string, text: string): void
  /** What has to be so, or the story is not true. */
  holds(what: string, is: boolean): void
}

/** One part of the story. */
export interface Chapter<W> {
  readonly title: string
  play(world: W, teller: Teller): Promise<void>
}

/** Plays chapter after chapter, and tells. One that is not as it should be does not end the story. */
export async function played<W>(
  chapters: readonly Chapter<W>[],
  world: W,
  told: (piece: Told) => void,
): Promise<void> {
  const teller = tellerTo(told)
  for (const { title, play } of chapters) {
    told({ kind: 'title', text: title })
    await play(world, teller)
  }
}

/** Tells piece by piece. */
export function tellerTo(told: (piece: Told) => void): Teller {
  return {
    prose: text => told({ kind: 'prose', text }),
    shows: (language, text) => told({ kind: 'shown', language, text: normalizeOutput(text).trimEnd() }),
    holds: (what, holds) => told({ kind: 'check', what, holds }),
    async types(place, command, { exit = 0, keep, meanwhile } = {}) {
      const running = typed(command, place)
      await meanwhile?.(running)
      const code = await running.ended
      const output = running.output().replaceAll(`${place.folder}/`, '')
      const ending = code === undefined ? 'killed' : `exit ${code}`
      // Whether one more line came out before the end is nobody's choice.
      const whole = code === undefined ? `${output.trimEnd()}\n…` : output
      const shown = normalizeOutput(shortened(whole, keep)).trimEnd()
      told({ kind: 'session', where: place.name, command: normalizeOutput(command), output: shown, ending })
      const due = exit === killed ? 'killed' : `exit ${exit}`
      told({ kind: 'check', what: due, holds: ending === due })
      return output
    },
  }
}

/** In place of the exit code of a command that does not come to its end. */
export const killed = -1
