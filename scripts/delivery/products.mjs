// The published packages: the program, and then the packages beside it, in the order of publication.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Their folders, from the root of the project. */
export const products = ['.', 'packages/fleet']

/** Reads the committed package.json of a product. */
export function readPackageManifest(root, product) {
  return JSON.parse(readFileSync(join(root, product, 'package.json'), 'utf8'))
}
