import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { StateFacts } from './facts.js'

/** The fields of a stored version that the checks need. */
interface KeptVersion {
  readonly serial: number
  readonly previous: string | null
  readonly lock?: unknown
  readonly submission?: { readonly state: string; readonly nonce: string; readonly generation: number }
  readonly record: {
    readonly organization?: { readonly manifest: string }
    readonly policy?: { readonly value: unknown }
  }
}

/** The values of a manifest that must be recorded. */
export interface Desired {
  /** Compared only if given. */
  readonly digest?: string
  readonly policy?: unknown
}

/** Parses the versions of a site, oldest first, without the code under test. */
export function readState(texts: readonly string[], { digest, policy }: Desired): StateFacts {
  const { versions, damage } = readChain(texts)
  // A run that holds the lock may be in the middle of an update, so the record is that of the last run that released it.
  const record = (versions.findLast(({ lock }) => lock === undefined) ?? versions.at(-1))?.record
  return {
    journal: readJournal(versions),
    isRecorded:
      (digest === undefined || record?.organization?.manifest === digest) &&
      isDeepStrictEqual(record?.policy?.value, policy),
    ...(damage !== undefined && { damage }),
  }
}

function readChain(texts: readonly string[]): {
  readonly versions: readonly KeptVersion[]
  readonly damage?: string
} {
  const versions: KeptVersion[] = []
  let previous: string | null = null
  // Versions about the name or the file of a site belong to other chains.
  const ofSite = texts.filter(text => !/"site": "(?:name|file):\/\//.test(text))
  for (const [at, text] of ofSite.entries()) {
    const number = at + 1
    let version: KeptVersion
    try {
      version = JSON.parse(text) as KeptVersion
    } catch {
      return { versions, damage: `version ${number} is torn` }
    }
    if (version.serial !== number)
      return { versions, damage: `version ${number} has number ${version.serial}` }
    if (version.previous !== previous) return { versions, damage: `version ${number} follows another text` }
    versions.push(version)
    previous = `sha256:${createHash('sha256').update(text).digest('hex')}`
  }
  return { versions }
}

/** Lists each state of the submission once. A state that could not be written by itself appears in a later version. */
function readJournal(versions: readonly KeptVersion[]): readonly string[] {
  const steps = versions.flatMap(({ submission }) => (submission === undefined ? [] : [submission]))
  const name = (step: (typeof steps)[number] | undefined) =>
    `${step?.generation} ${step?.nonce} ${step?.state}`
  return steps.filter((step, at) => name(step) !== name(steps[at - 1])).map(({ state }) => state)
}

/** Reads the versions below a folder, oldest first. */
export async function listTextsIn(folder: string): Promise<readonly string[]> {
  // With `withFileTypes`, `readdir` follows no symbolic links; one to /proc/self would never end.
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name))
  const versions = paths.filter(path => /\/\d{6}\.json$/.test(path)).sort()
  return Promise.all(versions.map(path => readFile(path, 'utf8')))
}

/** Reads the versions in a bare repository, oldest first. */
export function listTextsInGit(bare: string): readonly string[] {
  const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: bare, encoding: 'utf8' })
  const [ref] = git('for-each-ref', '--format=%(refname)', 'refs/landform/127.0.0.1*').trim().split('\n')
  if (!ref) return []
  return git('rev-list', '--reverse', ref)
    .trim()
    .split('\n')
    .map(commit => git('show', `${commit}:${git('ls-tree', '-r', '--name-only', commit).trim()}`))
}
