import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TlsOptions } from 'node:tls'
import type { Emulator, EmulatorOptions } from '../../../../src/emulator/emulated-site.js'
import { startEmulator } from '../../../../src/emulator/server.js'
import { httpDouble } from '../../../support/http-double.js'
import { type Canaries, wanted } from '../canaries.js'
import type { Ledger } from '../ledger.js'
import { type Scanner, scannerFor } from '../scanner.js'
import { type Place, placeIn, type Sources } from './place.js'
import { programIn } from './program.js'

/** Secrets, a site that accepts them, and the real program. */
export interface Scene {
  readonly place: Place
  readonly ledger: Ledger
  readonly emulator: Emulator
  /** The proxy in front of the site, with the heads of all requests, without the token. */
  readonly front: { readonly url: string; readonly port: number; readonly heads: readonly string[] }
  /** Runs the program; its outputs go into the ledger. */
  readonly run: ReturnType<typeof programIn>
  /** The reference to a secret, as a manifest has it. */
  reference(name: Parameters<Place['option']>[0]): object
  /** Finds the secrets and the control. */
  readonly scan: Scanner
  /** Adds a violation of the scene itself, such as an unexpected exit code. */
  report(what: string): void
  readonly violations: readonly string[]
  /** Secrets that were created in the scene, such as tokens of the site. */
  readonly issued: Set<string>
  end(): Promise<void>
}

export interface Setting {
  readonly folder: string
  readonly ledger: Ledger
  readonly seed: number
  readonly sources?: Sources
  readonly secrets?: Partial<Canaries>
  /** Options of the site; by default it accepts only the token of the place. */
  readonly emulator?: (place: Place) => EmulatorOptions
  readonly tls?: (place: Place) => TlsOptions
  readonly environment?: Readonly<Record<string, string>>
}

/** Sets up a scene in a folder. The URL of the site contains the control. */
export async function sceneIn({
  folder,
  ledger,
  seed,
  tls,
  environment,
  ...options
}: Setting): Promise<Scene> {
  mkdirSync(join(folder, 'tmp'), { recursive: true })
  const place = placeIn(folder, seed, options)
  const issued = new Set<string>()
  const emulator = await startEmulator({
    fidelity: 'field',
    stageMs: 10,
    basePath: `/${place.control.value}/admin`,
    ...(options.emulator?.(place) ?? { token: place.canaries.token }),
    inspect: ({ received: { request } }) => {
      if (request.bearer !== undefined && request.bearer !== place.canaries.token) issued.add(request.bearer)
    },
  })
  const front = await httpDouble([{ reply: { forward: emulator.url } }], tls?.(place))
  const violations: string[] = []
  return {
    place,
    ledger,
    emulator,
    front: {
      url: front.at(emulator.url),
      port: front.port,
      get heads() {
        return front.requests.map(({ head }) => head.replace(/^authorization:.*$/gim, ''))
      },
    },
    scan: scannerFor([...wanted(place.canaries), place.control]),
    run: programIn(place, ledger, environment),
    reference(name) {
      const [kind = '', where] = place.option(name).split(/:(.*)/s)
      return { [kind]: where }
    },
    report: what => violations.push(what),
    violations,
    issued,
    async end() {
      await front.close()
      await emulator.close()
    },
  }
}
