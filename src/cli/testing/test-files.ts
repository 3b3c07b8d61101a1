import { resolve } from 'node:path'
import { isTestFile } from '../../testing/file-name.js'
import { type Candidate, expandFiles } from '../check/expand-files.js'

/** Files of tests, and why they cannot be run as they were named. */
export interface TestFiles {
  readonly files: readonly string[]
  readonly problem: string | undefined
}

/** The files that words stand for: of those found in folders or by patterns, the ones that are called as tests are. */
export async function testFilesOf(words: readonly string[]): Promise<TestFiles> {
  const places = words.length === 0 ? ['.'] : words
  const { candidates, problem } = await expandFiles(places)
  const isMeant = ({ file, how }: Candidate) => how === 'named' || isTestFile(file)
  const files = candidates.filter(isMeant).map(({ file }) => file)
  if (problem !== undefined) return { files, problem }
  const where = places.map(one => resolve(one)).join(', ')
  const none = `there is no file of tests such as \`site.test.yaml\` in ${where}`
  return { files, problem: files.length === 0 ? none : undefined }
}
