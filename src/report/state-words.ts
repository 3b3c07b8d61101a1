import { display } from './display.js'

/** Formats a state for people; an undocumented one is spelled as the service reports it. */
export function formatState(state: string): string {
  return display(state.replaceAll('_', ' '), 60)
}
