import type { OperationName } from '../../contract/operation-name.js'
import { operations } from '../../contract/operations.js'
import { newestVersion, type ServiceVersion } from '../../contract/versions.js'
import { type Configuration, stalled } from '../faults/course.js'
import type { Rule } from '../faults/fault.js'
import { type Fidelity, type FieldOptions, type FieldWorld, newFieldWorld } from '../field/field-world.js'
import { type Durations, durationsOf, type StageTimes } from './durations.js'
import type { JsonObject } from './json.js'
import type { ServiceRequest, ServiceResponse } from './request.js'

/** One step of the service: no clock, no sockets, and the world it was given stays as it was. */
export type Handler<R extends ServiceRequest = ServiceRequest> = (
  world: World,
  request: R,
  now: number,
) => readonly [World, ServiceResponse]

/** What can be chosen about the emulated service. */
export interface WorldOptions {
  /** Decides which operations and parameters exist. Default: the newest that the document describes. */
  readonly version?: ServiceVersion
  /** `field` answers as public sources report where the document is silent. Default `document`. */
  readonly fidelity?: Fidelity
  readonly field?: FieldOptions
  /** How long each stage of a configuration takes. Default 250. */
  readonly stageMs?: StageTimes
  /** Makes what would be even uneven, the same way each time, and decides what chance does. Default: everything is even. */
  readonly seed?: number
  /** When given only this token is accepted; otherwise any that is not empty is. */
  readonly token?: string
  /** Folders, buckets and containers that `exportSite` cannot write to. */
  readonly unwritableLocations?: readonly string[]
  /** Items are missing from the content directory, so exports end with a warning. Service §2.1. */
  readonly missingItems?: boolean
  /** `<ServiceName>.<ServiceType>` → number of webhooks. When given, no other service exists. */
  readonly webhooks?: Readonly<Record<string, number>>
  /** True for a site that was configured long ago, by somebody else. */
  readonly configured?: boolean
  /** Parameters of `configure` beside the documented ones, any text each. Default: none. */
  readonly accept?: readonly string[]
  /** What goes wrong, the first that counts. Default: nothing. */
  readonly faults?: readonly Rule[]
}

/** How often an operation was asked for and how often it was carried out. */
export interface Counter {
  readonly received: number
  readonly accepted: number
}

/** Everything the emulated service knows. Every request makes a new one; none is ever changed. */
export interface World {
  readonly version: ServiceVersion
  readonly fidelity: Fidelity
  readonly field: FieldWorld
  /** Absent: the usual one. */
  readonly build?: string
  readonly durations: Durations
  readonly token?: string
  readonly unwritableLocations: readonly string[]
  readonly missingItems: boolean
  /** Names of parameters that `configure` takes beside the documented ones. */
  readonly accepted: readonly string[]
  /** Absent where no services were listed: then each exists and has no webhooks. */
  readonly webhooks?: ReadonlyMap<string, number>
  readonly configuration?: Configuration
  /** The value of the last accepted `update`. Service §4.4. */
  readonly upgradeConfig?: JsonObject
  readonly counters: Readonly<Record<OperationName, Counter>>
  readonly rules: readonly Rule[]
  /** Which of the rules something has met. */
  readonly met: readonly boolean[]
  /** How many requests came in whole, of each operation and of all: one that is carried out twice came once. */
  readonly calls: Readonly<Record<OperationName | 'any', number>>
  readonly seed: number
}

/** A service right after its installation: nothing is configured yet. Service §4.3. */
export function newWorld(options: WorldOptions = {}): World {
  const version = options.version ?? newestVersion
  const rules = options.faults ?? []
  return {
    version,
    fidelity: options.fidelity ?? 'document',
    field: newFieldWorld(version, options.field),
    durations: stalled(durationsOf(options.stageMs, options.seed), rules),
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

/** The world with one more request counted. */
export function count(world: World, operation: OperationName, what: keyof Counter): World {
  const counter = world.counters[operation]
  const counted = { ...counter, [what]: counter[what] + 1 }
  return { ...world, counters: { ...world.counters, [operation]: counted } }
}

function mapOperations<T>(value: () => T): Record<OperationName, T> {
  const names = Object.keys(operations) as OperationName[]
  return Object.fromEntries(names.map(name => [name, value()])) as Record<OperationName, T>
}
