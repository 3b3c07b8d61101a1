import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseRule } from '../../src/emulator/faults/notation.js'
import { root } from './manifests.js'

/** Writes the quickstart for the site at an address, with a state location. */
export function writeDeclaring(file: string, url: string, state: string): void {
  const text = readFileSync(join(root, 'examples/quickstart.yaml'), 'utf8')
  const declared = text.replace('\nspec:\n', `\nspec:\n  state: ${state}\n`)
  writeFileSync(file, declared.replace(/https:.*admin/, url))
}

/** Parses a fault of the emulator. */
export function aFault(text: string) {
  const rule = parseRule(text)
  if (!rule.ok) throw new Error(rule.error.problem)
  return rule.value
}
