import { decodeLoosely, type Source } from '../manifest/source.js'
import { policyKind } from '../schema/envelope.js'
import { policyFileNames } from './policy.js'

/** True if a file is meant as a policy: by its name or by its `kind`. */
export function looksLikePolicy(source: Source): boolean {
  const { name } = source
  if (policyFileNames.some(own => name === own || name.endsWith(`/${own}`))) return true
  const text = decodeLoosely(source)
  return text.includes(policyKind) && policyKindPattern.test(text)
}

const policyKindPattern = new RegExp(`^kind:[ \\t]*["']?${policyKind}\\b`, 'm')
