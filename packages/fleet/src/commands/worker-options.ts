import { statSync } from 'node:fs'
import { hostname } from 'node:os'
import {
  type ArgumentsOf,
  checkPolicyNames,
  type fleetWorker,
  parseDuration,
  parseWhole,
  UsageError,
  version,
} from 'landform/cli'
import { display } from 'landform/report'
import { parseListenAddress } from '../model/listen-address.js'

/** The arguments of `landform fleet worker`. */
export type WorkerArguments = ArgumentsOf<typeof fleetWorker>

/** Parses the options of a worker before anything is opened. */
export function parseWorkerOptions(argv: WorkerArguments) {
  const { name, limit, 'fleet-limit': fleetLimit, 'poll-interval': poll, listen } = argv
  const max = { from: 1, to: 10_000 }
  return {
    folder: parseFolder(argv.folder),
    name: parseName(name ?? hostname()),
    leaseMs: parseLease(argv.lease),
    limit: parseWhole('limit', limit, max),
    ...(fleetLimit !== undefined && { fleetLimit: parseWhole('fleet-limit', fleetLimit, max) }),
    ...(poll !== undefined && { pollMs: parsePoll(poll) }),
    listen: listen === undefined ? undefined : parseListen(listen),
    policies: checkPolicyNames(argv.policy),
    version,
  }
}

/** Checks the folder: a worker that finds no manifest would reject every site of the fleet. */
function parseFolder(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder
  throw new UsageError(`folder ${display(folder)} does not exist`)
}

function parseLease(text: string): number {
  const leaseMs = parseDuration('lease', text)
  if (leaseMs >= 2000 && leaseMs <= 300_000) return leaseMs
  throw new UsageError('--lease must be a duration from 2s to 5m, such as 10s')
}

function parsePoll(text: string): number {
  const pollMs = parseDuration('poll-interval', text)
  if (pollMs >= 10) return pollMs
  throw new UsageError('--poll-interval must be at least 10ms')
}

function parseName(name: string): string {
  if (/^[\w.@-]{1,100}$/.test(name)) return name
  throw new UsageError('--name must be 1 to 100 letters, digits, dots, hyphens, underscores and at signs')
}

function parseListen(text: string) {
  const address = parseListenAddress(text)
  if (address !== undefined) return address
  throw new UsageError('--listen must be HOST:PORT, such as 127.0.0.1:9464 or [::1]:9464')
}
