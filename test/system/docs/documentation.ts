import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../support/manifests.js'
import { type Reader, replayed } from './replay.js'

/** The pages for users, as paths from the root of the project. */
export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.md'))
    .map(file => join('docs', file))
    .toSorted(),
]

/** The pages that `first-hour.test.ts` follows in this order, in one terminal. */
export const firstHour: readonly string[] = [
  'README.md',
  'docs/tutorial.md',
  ...['validate', 'state', 'test-manifests', 'operations'].map(name => `docs/how-to/${name}.md`),
]

export const readPage = (page: string) => readFileSync(join(root, page), 'utf8')

/** Runs a page. Returns the first difference from it, or rewrites the page with `UPDATE_GOLDEN=1`. */
export async function followPage(page: string, reader?: Reader): Promise<string | undefined> {
  const was = readPage(page)
  const { page: written, complaint } = await replayed(was, reader)
  if (process.env['UPDATE_GOLDEN'] !== '1') return complaint
  if (written !== was) writeFileSync(join(root, page), written)
  return undefined
}
