import { closeSync, openSync, writeSync } from 'node:fs'
import { display, displayJson } from '../../report/display.js'
import { eventDocument } from '../../report/event-text.js'
import type { Host } from '../host.js'
import type { Progress } from './progress.js'

/** Writes events to a file, one JSON object a line. */
export function eventFile(host: Host, path: string): Progress {
  const file = openSync(path, 'w', 0o644)
  let broken = false
  const { show } = eventLines(host, text => {
    // A full disk must not end an apply; it is told once.
    try {
      if (!broken) writeSync(file, text)
    } catch {
      broken = true
      host.stderr.write(`warning: ${display(path)} cannot be written any more; its events are incomplete\n`)
    }
  })
  return { show, end: () => closeSync(file) }
}

/** Writes events as JSON, one object a line. */
export function eventLines(host: Host, write: (text: string) => void): Progress {
  return {
    show: event => write(`${displayJson(JSON.stringify(eventDocument(event, host.clock.now())))}\n`),
    end: () => undefined,
  }
}
