import { diagnose } from '../../diagnostics/diagnostic.js'
import { findMisspelledFields } from '../../diagnostics/did-you-mean.js'
import { isObject } from '../../schema/json-schema.js'
import { select } from '../../schema/select.js'
import type { Rule } from './rule.js'

const accountFields = ['as', 'username', 'password'] as const
const incomplete: ReadonlyMap<string, string> = new Map([
  ['', 'has no account'],
  ['username', 'has `username` without `password`'],
  ['password', 'has `password` without `username`'],
])

/** `signIn` uses the administrator, or one other account with name and password. Public sources. */
export const signInNamesOneAccount: Rule = function* ({ index }) {
  for (const { pointer, value: signIn } of select(index, '/spec/site/signIn')) {
    if (!isObject(signIn)) continue
    const misspelt = findMisspelledFields(signIn, [...accountFields, 'lifetime', 'path'])
    const named = accountFields.filter(name => name in signIn || misspelt.includes(name)).join(' ')
    if (named === 'as' || named === 'username password') continue
    yield diagnose('site/sign-in', pointer, { problem: incomplete.get(named) ?? 'has two accounts' })
  }
}
