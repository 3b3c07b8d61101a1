import { operations } from '../../contract/operations.js'
import type { OperationName } from '../../contract/parameter.js'
import { newestVersion, type ServiceVersion } from '../../contract/versions.js'
import { addStalls, type Configuration } from '../faults/configuration-progress.js'
import type { FaultRule } from '../faults/fault.js'
import { type Fidelity, type FieldOptions, type FieldWorld, newFieldWorld } from '../field/field-world.js'
import type { EmulatorJsonObject } from './json.js'
import type { ServiceRequest, ServiceResponse } from './request.js'
import { computeDurations, type Durations, type StageTimes } from './timeline.js'

/** One step of the service: uses no clock and no sockets, and does not change the world that it gets. */
export type Handler<R extends ServiceRequest = ServiceRequest> = (
  world: World,
  request: R,
  now: number,
) => readonly [World, ServiceResponse]

/** Options of the emulated service. */
export interface WorldOptions {
  /** Determines which operations and parameters exist. Default: the newest version that the document describes. */
  readonly version?: ServiceVersion
  /** `field` answers as public sources report where the document is silent. Default `document`. */
  readonly fidelity?: Fidelity
  readonly field?: FieldOptions
  /** The duration of each stage of a configuration, in milliseconds. Default 250. */
  readonly stageMs?: StageTimes
  /** The seed of random faults and of varying stage durations. Default: durations do not vary. */
  readonly seed?: number
  /**
   * The token that requests must have; with field fidelity, issued tokens are valid too. Default: with document fidelity,
   * any token or none; with field fidelity, any token until the site requires issued ones.
   */
  readonly token?: string
  /** Folders, buckets and containers that `exportSite` cannot write to. */
  readonly unwritableLocations?: readonly string[]
  /** Items are missing from the content directory, so exports end with a warning. Service §2.1. */
  readonly missingItems?: boolean
  /** `<ServiceName>.<ServiceType>` → number of webhooks. If given, no other service exists. */
  readonly webhooks?: Readonly<Record<string, number>>
  /** True for a site that was configured long ago, by somebody else. */
  readonly configured?: boolean
  /** Further parameters that `configure` accepts, each with any text. Default: none. */
  readonly accept?: readonly string[]
  /** The faults; a request meets the first that applies. Default: none. */
  readonly faults?: readonly FaultRule[]
}

/** The number of requests for an operation, and of those it accepted. */
export interface Counter {
  readonly received: number
  readonly accepted: number
}

/** The whole state of the emulated service. It is immutable; every request makes a new one. */
export interface World {
  readonly version: ServiceVersion
  readonly fidelity: Fidelity
  readonly field: FieldWorld
  /** Absent for the default build. */
  readonly build?: string
  readonly durations: Durations
  readonly token?: string
  readonly unwritableLocations: readonly string[]
  readonly missingItems: boolean
  /** Names of parameters that `configure` accepts in addition to the documented ones. */
  readonly accepted: readonly string[]
  /** Absent if no services were listed: then each exists and has no webhooks. */
  readonly webhooks?: ReadonlyMap<string, number>
  readonly configuration?: Configuration
  /** The start of an emulator whose site was configured long ago, in milliseconds since 1970. */
  readonly startedAt?: number
  /** The value of the last accepted `update`. Service §4.4. */
  readonly upgradeConfig?: EmulatorJsonObject
  readonly counters: Readonly<Record<OperationName, Counter>>
  readonly rules: readonly FaultRule[]
  /** For each rule, true once it was met. */
  readonly met: readonly boolean[]
  /** The number of requests that arrived whole, by operation and in total; a duplicate counts once. */
  readonly calls: Readonly<Record<OperationName | 'any', number>>
  readonly seed: number
}

/** Makes a service right after its installation: nothing is configured yet. Service §4.3. */
export function newWorld(options: WorldOptions = {}): World {
  const version = options.version ?? newestVersion
  const rules = options.faults ?? []
  return {
    version,
    fidelity: options.fidelity ?? 'document',
    field: newFieldWorld(version, options.field),
    durations: addStalls(computeDurations(options.stageMs, options.seed), rules),
    rules,
    met: [],
    calls: { ...mapOperations(() => 0), any: 0 },
    seed: options.seed ?? 0,
    unwritableLocations: options.unwritableLocations ?? [],
    missingItems: options.missingItems ?? false,
    accepted: options.accept ?? [],
    counters: mapOperations(() => ({ received: 0, accepted: 0 })),
    ...(options.token === undefined ? {} : { token: options.token }),
    ...(options.webhooks === undefined ? {} : { webhooks: new Map(Object.entries(options.webhooks)) }),
    ...(options.configured === true && { configuration: { begunAt: 0, parameters: {} } }),
  }
}

export function countRequest(world: World, operation: OperationName, what: keyof Counter): World {
  const counter = world.counters[operation]
  const counted = { ...counter, [what]: counter[what] + 1 }
  return { ...world, counters: { ...world.counters, [operation]: counted } }
}

function mapOperations<T>(value: () => T): Record<OperationName, T> {
  const names = Object.keys(operations) as OperationName[]
  return Object.fromEntries(names.map(name => [name, value()])) as Record<OperationName, T>
}
