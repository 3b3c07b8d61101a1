import { closeSync, openSync, writeSync } from 'node:fs'
import type { Clock } from '../../apply/clock.js'
import type { ApplyEvent } from '../../apply/event.js'
import { display, displayJson } from '../../report/display.js'
import { eventDocument } from '../../report/event-text.js'
import type { Host } from '../host.js'

/** Shows a stream of events as it happens. */
export interface ProgressView {
  show(event: ApplyEvent): void
  /** Nothing happens for so long, unless something does. */
  pausing?(milliseconds: number): void
  end(): void
}

/** A clock that reports the planned length of each sleep to the progress views. */
export function observeSleeps(clock: Clock, watching: readonly ProgressView[]): Clock {
  return {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    sleep(milliseconds, signal) {
      for (const one of watching) one.pausing?.(milliseconds)
      return clock.sleep(milliseconds, signal)
    },
  }
}

/** Writes events to a file, one JSON object a line. */
export function eventFile(host: Host, path: string): ProgressView {
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
      // A full disk must not end an apply; it is reported once.
      try {
        if (!broken) writeSync(file, text)
      } catch {
        broken = true
        host.stderr.print(`warning: ${display(path)} cannot be written any more; its events are incomplete\n`)
      }
    },
    end: () => closeSync(file),
  }
}

/** Writes events as JSON, one object a line; `about` are members that each has beside those of its event. */
export function eventLines(host: Host, write: (text: string) => void, about: object = {}): ProgressView {
  return {
    show: event =>
      write(`${displayJson(JSON.stringify({ ...eventDocument(event, host.clock.now()), ...about }))}\n`),
    end: () => undefined,
  }
}

/** Runs a stream to its end, hands each event on, and answers with what the stream returns. */
export async function drain<E, R>(stream: AsyncGenerator<E, R>, show: (event: E) => void): Promise<R> {
  try {
    for (;;) {
      const step = await stream.next()
      if (step.done === true) return step.value
      show(step.value)
    }
  } finally {
    // If `show` throws, the stream still cleans up.
    await stream.return(undefined as never)
  }
}
