import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The kinds of limits. The names of constants end in these words. */
export const limitKinds = {
  deadline: 'Landform gives up a connection, request, query or program that takes longer.',
  tries: 'The total number of tries.',
  pause:
    'The time before the next try. A list has a pause for each further try. `first` doubles with each failure, up to `max`.',
  poll: 'The time between two polls, or the number of polls.',
  timeout: 'A wait ends after this time.',
  period: 'This time has to pass first.',
  lease: 'A run that does not renew its lease in this time loses its site.',
  pages: 'Of a longer list, only this many pages are read.',
} as const

export type LimitKind = keyof typeof limitKinds

/** A constant with a time, or with a number of tries, polls or pages. */
export interface Limit {
  readonly name: string
  /** As the source has it, on one line. */
  readonly value: string
  /** The comment of the constant; empty if it has none. */
  readonly meaning: string
  readonly file: string
  /** `undefined` for a time that limits no tries, such as that between two heartbeats. */
  readonly kind: LimitKind | undefined
}

/** The emulator plays the service, and generated modules have no limits of their own. */
const unlisted = /\/(?:emulator|generated)\b/

const constant =
  /^(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?(?:export )?const (\w*(?:Ms|Tries|Polls)|maxPages) = ([\d[{(].*?)(?: as const)?$/gm

/** Reads the constants with a limit or another time from the sources of the program and of the fleet. */
export function readLimits(root: string): readonly Limit[] {
  const files = ['src', 'packages/fleet/src'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(file => `${folder}/${file}`),
  )
  return files
    .filter(file => file.endsWith('.ts') && !unlisted.test(file))
    .toSorted()
    .flatMap(file =>
      [...readFileSync(join(root, file), 'utf8').matchAll(constant)].map(
        ([, comment = '', name = '', value = '']) => ({
          name,
          value,
          meaning: comment.replaceAll(/\s*\n \*\s?/g, ' ').trim(),
          file,
          kind: findKind(name),
        }),
      ),
    )
}

function findKind(name: string): LimitKind | undefined {
  const word = /(deadline|pause|poll|timeout|period|lease)s?Ms$|(tries|pages|poll)s?$/i.exec(name)
  const kind = (word?.[1] ?? word?.[2])?.toLowerCase()
  return (Object.keys(limitKinds) as readonly LimitKind[]).find(one => one === kind)
}
