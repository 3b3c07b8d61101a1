import { display } from './display.js'

/** A state as people read it; one that is not documented is shown as the service spells it. */
export function stateWords(state: string): string {
  return display(state.replaceAll('_', ' '), 60)
}
