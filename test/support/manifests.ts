import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import type { Manifest } from '../../src/manifest/manifest.js'

/** The root folder of the project, in which tests run. */
export const root = process.cwd()

/** Removes the state location from a manifest of `examples/`, as in one for an emulator. Line numbers stay the same. */
export function withoutState(text: string): string {
  return text.replace(/^( +)state: git:origin$/m, '$1# no state')
}

/** Loads a manifest of `examples/`. */
export function exampleManifest(name = 'quickstart'): Manifest {
  return manifestOf(`examples/${name}.yaml`, readFileSync(join(root, 'examples', `${name}.yaml`)))
}

/** Loads a manifest. Throws if it is not valid. */
export function manifestOf(name: string, bytes: Buffer): Manifest {
  const loaded = loadManifest({ name, bytes })
  if (!loaded.ok) throw new Error(`${name} is not valid`)
  return loaded.value
}
