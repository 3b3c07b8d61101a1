// Tells whether tests start what is bundled. Uses nothing but Node itself.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesBelow } from './changes.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * True where a compiled test whose path has one of the patterns, as Jest finds it, belongs to the system tests, or names the
 * folder of what is built, itself or in a helper that it imports.
 */
export function needsBundles(patterns) {
  const expressions = patterns.map(pattern => new RegExp(pattern, 'i'))
  const isChosen = file => expressions.some(expression => expression.test(join(root, file)))
  return filesBelow(['dist/test'], /\.test\.js$/)
    .filter(isChosen)
    .some(file => file.startsWith('dist/test/system/') || namesBuilt(file, new Set()))
}

function namesBuilt(file, seen) {
  if (seen.has(file)) return false
  seen.add(file)
  const text = readFileSync(join(root, file), 'utf8')
  if (/\bdist\b/.test(text)) return true
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)]
    .map(([, path]) => join(dirname(file), path))
    .some(one => one.startsWith('dist/test/') && existsSync(join(root, one)) && namesBuilt(one, seen))
}
