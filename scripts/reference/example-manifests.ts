import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import type { Manifest } from '../../src/manifest/manifest.js'
import type { JsonValue } from '../../src/schema/json-schema.js'

/** Reads the manifests in `examples/`, in the order of their names; `root` is the folder of the project. */
export function readExamples(root: string): readonly JsonValue[] {
  const folder = join(root, 'examples')
  return readdirSync(folder)
    .filter(file => file.endsWith('.yaml'))
    .sort()
    .map(file => parse(readFileSync(join(folder, file), 'utf8')) as JsonValue)
}

/** Loads a manifest of `examples/` and checks it. */
export function loadExampleManifest(root: string, name: string): Manifest {
  const file = `examples/${name}.yaml`
  const loaded = loadManifest({ name: file, bytes: readFileSync(join(root, file)) })
  if (!loaded.ok) throw new Error(`${file} is not valid`)
  return loaded.value
}
