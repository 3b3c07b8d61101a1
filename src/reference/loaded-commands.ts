import type { Command, Entry } from '../cli/command.js'
import { commands } from '../cli/commands.js'

/** A command of the table with all that it declares. */
export interface LoadedEntry extends Entry {
  readonly command: Command
}

/** The commands of the table, loaded one by one: some runtimes take no modules that load at the same time. */
export async function loadedCommands(): Promise<readonly LoadedEntry[]> {
  const loaded: LoadedEntry[] = []
  for (const entry of commands) loaded.push({ ...entry, command: await entry.load() })
  return loaded
}
