import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './manifests.js'

/** One import of a file in src: of another file there, of a package, or of a module of Node. */
export interface Import {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

/** Every file in src. */
export const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(file =>
  file.endsWith('.ts'),
)

/** Every import in src. */
export const imports = sources.flatMap(file => importsOf(file, readFileSync(join(root, 'src', file), 'utf8')))

/** The imports in the text of a file. */
export function importsOf(file: string, text: string): readonly Import[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(['"]([^'"]+)['"]\)/g
  return [...text.matchAll(pattern)].map(([, type, fixed, dynamic]) => {
    const to = fixed ?? dynamic ?? ''
    return { from: file, to: to.startsWith('.') ? resolved(file, to) : to, typeOnly: type !== undefined }
  })
}

function resolved(file: string, to: string): string {
  return join(file, '..', to).replace(/\.js$/, '.ts')
}

/** What a file brings along when it is loaded, itself too. */
export function loadedBy(file: string, found: readonly Import[] = imports): ReadonlySet<string> {
  const loaded = new Set([file])
  for (const one of loaded)
    for (const { from, to, typeOnly } of found) if (from === one && !typeOnly) loaded.add(to)
  return loaded
}
