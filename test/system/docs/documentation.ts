import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../support/manifests.js'

/** The pages for users, as paths from the root of the project. */
export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.md'))
    .map(file => join('docs', file))
    .toSorted(),
]
