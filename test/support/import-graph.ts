import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './manifests.js'

/** An import in a file of `src`: of another file there, a package, or a module of Node. */
export interface Import {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

/** Every file in src. */
export const sources = sourcesBelow('src')

/** Every import in src. */
export const imports = importsBelow('src')

/** Lists the TypeScript sources below a folder by relative path, except scripts of pages, which run in browsers. */
export function sourcesBelow(folder: string): readonly string[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return files.filter(file => file.endsWith('.ts') && !file.includes('page/script/'))
}

/** Lists every import in the sources of a folder. */
export function importsBelow(folder: string): readonly Import[] {
  return sourcesBelow(folder).flatMap(file => importsOf(file, readFileSync(join(root, folder, file), 'utf8')))
}

/** Lists the imports in the text of a file. */
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

/** Returns the files that are loaded with a file, including itself. Type-only imports load nothing. */
export function loadedBy(file: string, found: readonly Import[] = imports): ReadonlySet<string> {
  const loaded = new Set([file])
  for (const one of loaded)
    for (const { from, to, typeOnly } of found) if (from === one && !typeOnly) loaded.add(to)
  return loaded
}

/** Returns a cycle of imports, if there is one. */
export function cycle(arrows: readonly Import[]): readonly string[] | undefined {
  const next = new Map<string, string[]>()
  for (const { from, to } of arrows) next.set(from, [...(next.get(from) ?? []), to])
  const done = new Set<string>()
  const visit = (node: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node]
    if (done.has(node)) return undefined
    for (const target of next.get(node) ?? []) {
      const found = visit(target, [...path, node])
      if (found !== undefined) return found
    }
    done.add(node)
    return undefined
  }
  for (const node of next.keys()) {
    const found = visit(node, [])
    if (found !== undefined) return found
  }
  return undefined
}
