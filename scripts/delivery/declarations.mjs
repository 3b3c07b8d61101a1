// The types of the library as they ship: the declarations that its entry reaches, and no others.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Copies them; throws where one wants the types of a package, for users have none. Those of Node they bring. */
export function copyDeclarations(entry, { from, to }) {
  const reached = new Set([entry])
  for (const file of reached) {
    const text = readFileSync(join(from, file), 'utf8')
    for (const [, module] of text.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      if (module.startsWith('.'))
        reached.add(normalize(join(dirname(file), module)).replace(/\.js$/, '.d.ts'))
      else if (!module.startsWith('node:')) throw new Error(`${file} wants the types of ${module}`)
    }
    mkdirSync(dirname(join(to, file)), { recursive: true })
    copyFileSync(join(from, file), join(to, file))
  }
}
