import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { display } from '../report/display.js'

/** A file to check: named on the command line, or found in a folder or by a pattern. */
export interface Candidate {
  readonly file: string
  readonly how: 'named' | 'found'
}

export type Expanded =
  | { readonly ok: true; readonly candidates: readonly Candidate[] }
  | { readonly ok: false; readonly problem: string }

/** The files that words on the command line stand for, each once; `-` is standard input. */
export async function expandFiles(words: readonly string[]): Promise<Expanded> {
  const candidates = new Map<string, Candidate>()
  for (const word of words) {
    const some = await expanded(word)
    if (some.length === 0) return { ok: false, problem: `there is no YAML file in ${display(word)}` }
    for (const candidate of some) {
      const path = word === '-' ? word : resolve(candidate.file)
      if (candidates.get(path)?.how !== 'named') candidates.set(path, candidate)
    }
  }
  return { ok: true, candidates: [...candidates.values()] }
}

async function expanded(word: string): Promise<readonly Candidate[]> {
  if (word === '-') return [{ file: word, how: 'named' }]
  const kind = kindOf(word)
  if (kind === 'folder') return filesLike('**/*.{yaml,yml}', word)
  // What exists is named, even with a bracket in it; what does not and is no pattern is reported when it is read.
  if (kind !== 'none' || !/[*?[{]/.test(word)) return [{ file: word, how: 'named' }]
  return filesLike(word)
}

async function filesLike(pattern: string, folder?: string): Promise<readonly Candidate[]> {
  // Loaded only where a folder is looked through.
  const { glob } = await import('tinyglobby')
  const files = await glob(pattern, {
    ...(folder !== undefined && { cwd: folder }),
    expandDirectories: false,
    followSymbolicLinks: false,
    ignore: ['**/node_modules/**'],
  })
  const prefix = folder === undefined || folder === '.' ? '' : `${folder.replace(/\/+$/, '')}/`
  return files.sort().map(file => ({ file: `${prefix}${file}`, how: 'found' }))
}

/** What a path leads to; what cannot be looked at is none, and reading it will say why. */
export function kindOf(path: string): 'file' | 'folder' | 'other' | 'none' {
  try {
    const stats = statSync(path)
    if (stats.isFile()) return 'file'
    return stats.isDirectory() ? 'folder' : 'other'
  } catch {
    return 'none'
  }
}
