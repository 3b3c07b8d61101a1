import { readdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { display } from '../../report/display.js'
import { UsageError } from '../../report/exit-code.js'
import { parseWhole } from '../options.js'

/** A file to check: named on the command line, or found in a folder or by a pattern. */
export interface Candidate {
  readonly file: string
  readonly how: 'named' | 'found'
}

interface Expanded {
  readonly candidates: readonly Candidate[]
  /** The reason why some files are missing. */
  readonly problem?: string
  /** True if the only reason is that a folder or a pattern has no file. */
  readonly isEmpty?: boolean
}

/** Expands the words of the command line to files, each once; `-` is standard input. */
export async function expandFiles(words: readonly string[]): Promise<Expanded> {
  const candidates = new Map<string, Candidate>()
  const problems: string[] = []
  let isEmpty = true
  for (const word of words) {
    const some = await expandWord(word)
    if (typeof some === 'string') {
      problems.push(some)
      isEmpty = false
    } else if (some.length === 0)
      problems.push(`no YAML or JSON file in ${display(word)}; \`landform init\` writes a manifest`)
    for (const candidate of typeof some === 'string' ? [] : some) {
      // One word never lists a file twice.
      const path = word === '-' || words.length === 1 ? candidate.file : resolve(candidate.file)
      if (candidates.get(path)?.how !== 'named') candidates.set(path, candidate)
    }
  }
  const [problem] = problems
  const all = [...candidates.values()]
  return problem === undefined ? { candidates: all } : { candidates: all, problem, isEmpty }
}

/** Lists the files of one word; a string is the reason that they cannot be listed. */
async function expandWord(word: string): Promise<readonly Candidate[] | string> {
  if (word === '-') return [{ file: word, how: 'named' }]
  const kind = classifyPath(word)
  if (kind === 'folder') return filesIn(word)
  // An existing file is named, even with brackets in its name. A missing one that is not a pattern is reported when it is read.
  if (kind !== 'none' || !/[*?[{]/.test(word)) return [{ file: word, how: 'named' }]
  const { glob } = await import('tinyglobby')
  const files = await glob(word, {
    expandDirectories: false,
    followSymbolicLinks: false,
    ignore: ['**/node_modules/**'],
  })
  return files.sort().map(file => ({ file, how: 'found' }))
}

/** Lists the files of a folder, or fails as a whole: a file that is silently left out would pass for valid. */
function filesIn(folder: string): readonly Candidate[] | string {
  try {
    return filesBelow(folder).toSorted((a, b) => (a.file < b.file ? -1 : 1))
  } catch (error) {
    const { path = folder, code = 'unknown cause' } = error as NodeJS.ErrnoException
    return `the folder ${display(path)} cannot be read (${code})`
  }
}

/** Lists YAML and JSON files below a folder; skips hidden ones, `node_modules` and linked folders. Throws if unreadable. */
function filesBelow(folder: string): readonly Candidate[] {
  const prefix = folder === '.' ? '' : `${folder.replace(/\/+$/, '')}/`
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): readonly Candidate[] => {
    const path = `${prefix}${entry.name}`
    const isHidden = entry.name.startsWith('.') || entry.name === 'node_modules'
    if (entry.isDirectory()) return isHidden ? [] : filesBelow(path)
    const isFile = entry.isFile() || (entry.isSymbolicLink() && classifyPath(path) === 'file')
    return isFile && !isHidden && /\.(?:ya?ml|json)$/i.test(entry.name) ? [{ file: path, how: 'found' }] : []
  })
}

/** Classifies a path; `none` if it cannot be read, which a later read reports. */
export function classifyPath(path: string): 'file' | 'folder' | 'other' | 'none' {
  try {
    const stats = statSync(path)
    if (stats.isFile()) return 'file'
    return stats.isDirectory() ? 'folder' : 'other'
  } catch {
    return 'none'
  }
}

/** The files that a command about sites works on. */
export type Chosen =
  /** One file by its name: the command is about one site. */
  | { readonly kind: 'one'; readonly file: string }
  /** Several files, or a folder or pattern, even if it leads to a single file. */
  | { readonly kind: 'many'; readonly candidates: readonly Candidate[]; readonly problem?: string }

/** The manifest of a command without a file name. */
const usualManifest = 'site.yaml'

/** Expands the words to files; the default is `site.yaml`. With `asMany`, a single named file is one of several. */
export async function chooseFiles(named: readonly string[], asMany = false): Promise<Chosen> {
  const words = named.length === 0 ? [usualManifest] : named
  if (named.length === 0 && classifyPath(usualManifest) === 'none')
    throw new UsageError(`name a manifest: there is no ${usualManifest} in this folder`)
  const { candidates, problem } = await expandFiles(words)
  const [first] = candidates
  const isOne = words.length === 1 && problem === undefined && candidates.length === 1
  if (isOne && first?.how === 'named' && !asMany) return { kind: 'one', file: first.file }
  return { kind: 'many', candidates, ...(problem !== undefined && { problem }) }
}

/** Reads `--concurrency`. */
export function parseConcurrency(text = '4'): number {
  return parseWhole('concurrency', text, { from: 1, to: 256 })
}
