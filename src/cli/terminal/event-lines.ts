import { closeSync, openSync, writeSync } from 'node:fs'
import { display, displayJson } from '../../report/display.js'
import { eventDocument } from '../../report/event-text.js'
import type { Host } from '../host.js'
import type { Progress } from './watched-clock.js'

/** Writes events to a file, one JSON object a line. */
export function eventFile(host: Host, path: string): Progress {
  const { write, end } = lineFile(host, path)
  return { ...eventLines(host, write), end }
}

/** A file that lines are added to as they come. */
export interface LineFile {
  write(text: string): void
  end(): void
}

/** Opens a file for the events of a run, be it of one site or of many. */
export function lineFile(host: Host, path: string): LineFile {
  const file = openSync(path, 'w', 0o644)
  let broken = false
  return {
    write(text) {
      // A full disk must not end an apply; it is told once.
      try {
        if (!broken) writeSync(file, text)
      } catch {
        broken = true
        host.stderr.write(`warning: ${display(path)} cannot be written any more; its events are incomplete\n`)
      }
    },
    end: () => closeSync(file),
  }
}

/** Writes events as JSON, one object a line; `about` are members that each has beside those of its event. */
export function eventLines(host: Host, write: (text: string) => void, about: object = {}): Progress {
  return {
    show: event =>
      write(`${displayJson(JSON.stringify({ ...eventDocument(event, host.clock.now()), ...about }))}\n`),
    end: () => undefined,
  }
}
