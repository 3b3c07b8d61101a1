// What is published: the program and the packages beside it, in the order in which npm gets them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Their folders, from the root of the project. */
export const products = ['.', 'packages/fleet']

/** The package.json of one, as it is checked in. */
export function readPackageManifest(root, product) {
  return JSON.parse(readFileSync(join(root, product, 'package.json'), 'utf8'))
}
