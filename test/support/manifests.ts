import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import type { Manifest } from '../../src/manifest/manifest.js'

/** The folder of the project; tests run from it. */
export const root = process.cwd()

/** Makes a manifest of `examples/` keep its state beside it, as one for an emulator does; its lines stay where they are. */
export function withoutState(text: string): string {
  return text.replace(/^( +)state: git:origin$/m, '$1# no state')
}

/** A manifest of `examples/`, loaded. */
export function exampleManifest(name = 'quickstart'): Manifest {
  return manifestOf(`examples/${name}.yaml`, readFileSync(join(root, 'examples', `${name}.yaml`)))
}

/** A manifest that is valid, by its bytes. */
export function manifestOf(name: string, bytes: Buffer): Manifest {
  const loaded = loadManifest({ name, bytes })
  if (!loaded.ok) throw new Error(`${name} is not valid`)
  return loaded.value
}
