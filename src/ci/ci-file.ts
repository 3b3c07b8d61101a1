import type { Result } from '../result.js'
import type { CiFacts } from './ci-facts.js'

/** A list in the file of a CI system to which each site adds lines. */
export interface SiteList {
  /** The whole line above the list. If it occurs several times, each list gets the lines. */
  readonly head: string
  /** The beginning of each line in the list. */
  readonly prefix: string
  lines(facts: CiFacts): readonly string[]
}

/** The file of a CI system: a template without sites, and the lists to which each site is added. */
export interface CiFile {
  readonly product: string
  /** Path from the root of the repository, where the system reads it. */
  readonly path: string
  readonly template: string
  /** The first one is the table of sites: name, manifest and origin, separated by spaces. */
  readonly lists: readonly [SiteList, ...SiteList[]]
}

/** Builds the table of sites; `escapeText` escapes the expressions of the CI system. */
export function buildSiteTable(indent: string, escapeText: (text: string) => string): SiteList {
  return {
    head: `${indent}SITES: |-`,
    prefix: `${indent}  `,
    lines: ({ name, manifest, origin }) => [`${name} ${escapeText(manifest)} ${escapeText(origin)}`],
  }
}

/** A reason why a site cannot be added to a file. */
export type AddProblem =
  /** The line above a list is missing, or occurs more or less often than in the template. */
  | { readonly kind: 'edited' }
  /** Another row has the same name or manifest. */
  | { readonly kind: 'taken'; readonly row: string }

/** True for a file that has none of the lists: `init` did not write it. */
export function isForeign(text: string, { lists }: Pick<CiFile, 'lists'>): boolean {
  const lines = text.split(/\r?\n/)
  return !lists.some(({ head }) => lines.includes(head))
}

/** Adds a site to a file that may have been edited. A site that is there already changes nothing. */
export function addSite(
  text: string,
  { template, lists }: Pick<CiFile, 'template' | 'lists'>,
  facts: CiFacts,
): Result<string, AddProblem> {
  const lines = text.split(/\r?\n/)
  const original = template.split('\n')
  const isKnown = ({ head }: SiteList) =>
    lines.includes(head) && findAll(lines, head).length === findAll(original, head).length
  if (!lists.every(isKnown)) return { ok: false, error: { kind: 'edited' } }
  const [table] = lists
  const [own = ''] = table.lines(facts)
  const taken = findAll(lines, table.head)
    .flatMap(at => listEntries(lines, at, table.prefix))
    .find(row => row !== own && row.split(/\s+/).some((word, at) => at < 2 && word === own.split(' ')[at]))
  if (taken !== undefined) return { ok: false, error: { kind: 'taken', row: taken } }
  const ending = text.includes('\r\n') ? '\r\n' : '\n'
  const added = lists.reduce<readonly string[]>((now, list) => addLines(now, list, facts), lines)
  return { ok: true, value: added.join(ending) }
}

/** Builds the file for several sites; throws if two have the same name or manifest. */
export function buildCiFile(file: Pick<CiFile, 'template' | 'lists'>, sites: readonly CiFacts[]): string {
  return sites.reduce((text, facts) => {
    const added = addSite(text, file, facts)
    if (!added.ok) throw new Error(`cannot add ${facts.name}: ${added.error.kind}`)
    return added.value
  }, file.template)
}

function addLines(lines: readonly string[], list: SiteList, facts: CiFacts): readonly string[] {
  const { head, prefix } = list
  return findAll(lines, head).reduceRight((now, at) => {
    const present = listEntries(now, at, prefix)
    const added = list.lines(facts).filter(line => !present.includes(line))
    return now.toSpliced(at + 1 + present.length, 0, ...added.map(line => `${prefix}${line}`))
  }, lines)
}

/** Returns the entries after a line, up to the first line that is none. */
function listEntries(lines: readonly string[], at: number, prefix: string): readonly string[] {
  const isEntry = (line: string) => line.startsWith(prefix) && /^[^\s#]/.test(line.slice(prefix.length))
  const rest = lines.slice(at + 1)
  const end = rest.findIndex(line => !isEntry(line))
  return rest.slice(0, end === -1 ? rest.length : end).map(line => line.slice(prefix.length))
}

function findAll(lines: readonly string[], text: string): readonly number[] {
  return lines.flatMap((line, at) => (line === text ? at : []))
}
