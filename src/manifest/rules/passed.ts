import { readMember } from '../../schema/member.js'
import { identify, Memory } from '../known-parts.js'
import { type RuleGroup, ruleGroups } from './all.js'
import type { ManifestDocument, Rule } from './rule.js'

/** True if no rule finds anything. What manifests have in common is looked at once. */
export function passesRules(manifest: ManifestDocument): boolean {
  return groups.every(group => group.passes(manifest))
}

class RememberingGroup {
  readonly #reads: readonly (readonly string[])[]
  readonly #rules: readonly Rule[]
  /** What has passed. */
  readonly #passed = new Memory<true>()

  constructor({ reads, rules }: RuleGroup) {
    this.#reads = reads.map(pointer => pointer.slice(1).split('/'))
    this.#rules = rules
  }

  passes(manifest: ManifestDocument): boolean {
    const key = this.#identify(manifest)
    if (key !== undefined && this.#passed.get(key) === true) return true
    for (const rule of this.#rules) for (const _ of rule(manifest)) return false
    if (key !== undefined) this.#passed.set(key, true)
    return true
  }

  /** Returns a text that manifests share where all that is read is the same in them. */
  #identify({ value }: ManifestDocument): string | undefined {
    let key: string | undefined
    for (const names of this.#reads) {
      const part = identify(names.reduce(readMember, value))
      if (part === undefined) return undefined
      key = key === undefined ? part : `${key}\n${part}`
    }
    return key
  }
}

const groups = ruleGroups.map(group => new RememberingGroup(group))
