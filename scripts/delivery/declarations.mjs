// The published types of the library: the declarations that its entry points reach, and no others.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/**
 * Copies the declarations, with the comments of the exports of the entry points; a program cannot name other types. Throws if a
 * declaration imports the types of a package, because users do not have them. They have those of Node.js.
 */
export function copyDeclarations(entries, { from, to }) {
  const texts = new Map()
  const reached = new Set(entries)
  for (const file of reached) {
    const text = readFileSync(join(from, file), 'utf8')
    texts.set(file, text)
    for (const [, module] of text.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      if (module.startsWith('.'))
        reached.add(normalize(join(dirname(file), module)).replace(/\.js$/, '.d.ts'))
      else if (!module.startsWith('node:')) throw new Error(`${file} imports the types of ${module}`)
    }
  }
  const exported = new Set(entries.flatMap(file => listExports(texts.get(file))))
  for (const [file, text] of texts) {
    mkdirSync(dirname(join(to, file)), { recursive: true })
    writeFileSync(join(to, file), entries.includes(file) ? text : shorten(text, exported))
  }
}

function listExports(text) {
  return [...text.matchAll(/^export (?:type )?\{([^}]+)\}/gm)].flatMap(([, names]) =>
    names.split(',').map(name => name.trim().replace(/^type /, '')),
  )
}

const statementStart =
  /(?<=[;}]\n)(?=(?:\/\*\*(?:(?!\*\/).)*\*\/\n)?(?:abstract|class|declare|export|import|interface|type) )/s

/**
 * Removes the comments of other statements, and long texts. A line may also begin with a member of a union, so a statement is
 * recognized by its first word.
 */
function shorten(text, exported) {
  return text
    .split(statementStart)
    .map(statement => {
      const [, name] =
        /^(?:export )?(?:declare )?(?:abstract )?\w+ (\w+)/m.exec(withoutComments(statement)) ?? []
      return exported.has(name) ? statement : withoutComments(statement)
    })
    .join('')
    .replaceAll(/^ +/gm, '')
    .replaceAll(sentence, '$1string;')
}

function withoutComments(text) {
  return text.replaceAll(/\/\*\*.*?\*\/\s*/gs, '')
}

/** Literal types with a sentence of a catalog or of the help, on which no program could depend. They become `string`. */
const sentence = /(readonly '?[\w-]+'?: )(?:"(?:[^"\\\n]|\\.){25,}"|'(?:[^'\\\n]|\\.){25,}'|`[^`]{10,}`);/g
