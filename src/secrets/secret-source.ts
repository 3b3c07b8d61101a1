import { type FileReply, readJailed } from './file-jail.js'
import type { Wanted } from './wanted.js'

/** Where references lead: to the environment and to files below one folder, or to stand-ins for a rehearsal. */
export interface SecretSource {
  variable(name: string): string | undefined
  file(path: string, mostBytes: number): Promise<FileReply>
  /** Used in place of what is missing; `undefined` where what is missing stays missing. */
  standIn(wanted: Wanted): Buffer | undefined
}

/** The environment of a process, and the folder of a manifest. */
export function secretSource(
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): SecretSource {
  return {
    variable: name => environment[name],
    file: (path, mostBytes) => readJailed(folder, path, mostBytes),
    standIn: () => undefined,
  }
}

/**
 * The same, with made-up values where something is missing: for the emulator, which needs no real secret.
 * `random` makes text of letters and digits, so that no value is the same twice.
 */
export function rehearsalSource(source: SecretSource, random: () => string): SecretSource {
  return { ...source, standIn: () => Buffer.from(`Rehearsal1-${random()}`) }
}
