import type { Rule } from '../../emulator/faults/fault.js'
import { rulesOf } from '../../emulator/faults/notation.js'
import { parseWhole } from './emulator-options.js'
import { checkFault } from './scenario-options.js'

/** The faults of `--fault`, told apart by whom they are for. */
export interface ParsedFaults {
  /** As written. */
  readonly ofAll: readonly string[]
  /** By the number of the site, from 1. */
  readonly ofSites: ReadonlyMap<number, readonly Rule[]>
}

/** Reads faults such as `configure=html` for all sites, and `3:configure=html` or `3-7:configure=html` for some. */
export function parseFaults(words: readonly string[], sites: number): ParsedFaults {
  const ofAll: string[] = []
  const ofSites = new Map<number, Rule[]>()
  for (const word of words) {
    const [, first, last = first, fault = ''] = /^(\d+)(?:-(\d+))?:(.*)$/.exec(word) ?? []
    if (first === undefined || last === undefined) {
      ofAll.push(word)
      continue
    }
    const from = parseWhole('fault', first, { from: 1, to: sites })
    const to = parseWhole('fault', last, { from, to: sites })
    checkFault(fault)
    const rules = rulesOf([fault]).map(rule => ({ ...rule, word }))
    for (let site = from; site <= to; site += 1) ofSites.set(site, [...(ofSites.get(site) ?? []), ...rules])
  }
  return { ofAll, ofSites }
}
