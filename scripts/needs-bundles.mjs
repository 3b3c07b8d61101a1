// Tells whether tests start what is bundled. Uses nothing but Node itself.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesBelow } from './changes.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * True where a compiled test whose path has one of the patterns, as Jest finds it, belongs to the system tests, or names the
 * folder of what is built, itself or in a helper that it imports; and where none is found, since Jest may then run others.
 */
export function needsBundles(patterns) {
  const chosen = filesBelow(['dist/test'], /\.test\.js$/).filter(createFilter(patterns))
  const needs = file => file.startsWith('dist/test/system/') || namesBuilt(file, new Set())
  return chosen.length === 0 || chosen.some(needs)
}

function createFilter(patterns) {
  try {
    const expressions = patterns.map(pattern => new RegExp(pattern, 'i'))
    return file => expressions.some(expression => expression.test(join(root, file)))
  } catch {
    // Jest says so of one that is none, and runs all tests.
    return () => false
  }
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
