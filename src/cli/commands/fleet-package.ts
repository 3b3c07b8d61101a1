import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { exitCodes } from '../../report/exit-code.js'
import type { Result } from '../../result.js'
import type { StateBackend } from '../../state/series.js'
import { version } from '../../version.js'
import type { ArgumentsOf, CommandHandler } from '../command.js'
import type * as declared from '../declarations/fleet.js'
import type { Host } from '../host.js'

/** The commands of the optional package. */
export interface FleetCommands {
  readonly submit: CommandHandler<ArgumentsOf<typeof declared.fleetSubmit>>
  readonly worker: CommandHandler<ArgumentsOf<typeof declared.fleetWorker>>
  readonly status: CommandHandler<ArgumentsOf<typeof declared.fleetStatus>>
  readonly cancel: CommandHandler<ArgumentsOf<typeof declared.fleetCancel>>
  readonly resume: CommandHandler<ArgumentsOf<typeof declared.fleetResume>>
  readonly history: CommandHandler<ArgumentsOf<typeof declared.fleetHistory>>
  readonly prune: CommandHandler<ArgumentsOf<typeof declared.fleetPrune>>
  readonly ui: CommandHandler<ArgumentsOf<typeof declared.fleetUi>>
}

/** The interface of the optional package to the program. */
export interface FleetPackage {
  /** Of the package; it fits the program of the same version only, for both are made of the same sources. */
  readonly version: string
  readonly commands: FleetCommands
  /** State in the database with this connection string. Connects when it is first used, and keeps no process alive. */
  postgresBackend(connection: string): StateBackend
}

export type LoadedFleet = Result<FleetPackage, { readonly message: string; readonly next: string }>

const name = '@landform/fleet'

/** Loads only the package that is installed with the program, never one of the working folder. */
export async function loadFleetPackage(): Promise<LoadedFleet> {
  const next = `npm install ${name}@${version}, where landform itself is installed`
  const path = findInstalledPath()
  if (path === undefined)
    return { ok: false, error: { message: `this needs the package ${name}, which is not installed`, next } }
  const fleet = await importFleet(path)
  if (fleet === undefined)
    return {
      ok: false,
      error: { message: `the package ${name} is installed, but a package that it needs is missing`, next },
    }
  if (fleet.version === version) return { ok: true, value: fleet }
  return {
    ok: false,
    error: {
      message: `${name} ${fleet.version} does not match Landform ${version}: both must have the same version`,
      next,
    },
  }
}

/** Loads a command of the package; without the package, one that explains how to install it. */
export async function loadCommand<N extends keyof FleetCommands>(name: N): Promise<FleetCommands[N]> {
  const loaded = await loadFleetPackage()
  if (loaded.ok) return loaded.value.commands[name]
  return async (_: unknown, host: Host) => {
    host.stderr.print(`error: ${loaded.error.message}\nnext: ${loaded.error.next}\n`)
    return exitCodes.refused
  }
}

function findInstalledPath(): string | undefined {
  const [, program] = process.argv
  if (program === undefined) return undefined
  // First from its real path, then from the invoked path: pnpm installs packages only next to the second.
  return resolveFrom(() => realpathSync(program)) ?? resolveFrom(() => program)
}

function resolveFrom(program: () => string): string | undefined {
  try {
    return createRequire(program()).resolve(name)
  } catch {
    return undefined
  }
}

/** `undefined` where a package that it needs is missing. */
async function importFleet(path: string): Promise<FleetPackage | undefined> {
  try {
    return ((await import(path)) as { readonly fleet: FleetPackage }).fleet
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
