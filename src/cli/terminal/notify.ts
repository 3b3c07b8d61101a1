import { display } from '../../report/display.js'
import type { Host } from '../host.js'

/**
 * Tells a person who looks elsewhere that a run has ended: with the bell, and with the notification that some terminals
 * show (OSC 9). Elsewhere than on a terminal it does nothing.
 */
export function notify({ stderr }: Host, text: string): void {
  // The word at its begin: some terminals read numbers there as commands.
  if (stderr.isTerminal) stderr.write(`\x07\x1b]9;Landform: ${display(text, 200)}\x07`)
}
