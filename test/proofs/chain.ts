import { createHash } from 'node:crypto'

/** A version as far as a proof has to know it; read without the code that is to be proven. */
export interface KeptVersion {
  readonly serial: number
  readonly previous: string | null
  readonly lock?: { readonly nonce: string }
  readonly submission?: { readonly state: string; readonly nonce: string; readonly generation: number }
  readonly record: {
    readonly organization?: { readonly manifest: string }
    readonly policy?: { readonly value: unknown }
  }
}

/** The versions of a site, the oldest first, and why they are no whole chain, if they are none; those of its name and its manifest are others. */
export function readChain(texts: readonly string[]): {
  readonly versions: readonly KeptVersion[]
  readonly broken?: string
} {
  const versions: KeptVersion[] = []
  let previous: string | null = null
  const ofSite = texts.filter(text => !/"site": "(?:name|file):\/\//.test(text))
  for (const [at, text] of ofSite.entries()) {
    const number = at + 1
    let version: KeptVersion
    try {
      version = JSON.parse(text) as KeptVersion
    } catch {
      return { versions, broken: `version ${number} is torn` }
    }
    if (version.serial !== number) return { versions, broken: `version ${number} says ${version.serial}` }
    if (version.previous !== previous) return { versions, broken: `version ${number} follows another text` }
    versions.push(version)
    previous = `sha256:${createHash('sha256').update(text).digest('hex')}`
  }
  return { versions }
}

/** Each state that a submission had, in order: what could not be written on its own stands in a later version. */
export function journalOf(versions: readonly KeptVersion[]): readonly string[] {
  const steps = versions.flatMap(({ submission }) => (submission === undefined ? [] : [submission]))
  const name = (step: (typeof steps)[number] | undefined) =>
    `${step?.generation} ${step?.nonce} ${step?.state}`
  return steps.filter((step, at) => name(step) !== name(steps[at - 1])).map(({ state }) => state)
}
