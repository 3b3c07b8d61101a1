import { diagnose } from '../../diagnostics/diagnostic.js'
import { isObject } from '../../schema/json-schema.js'
import { misspeltFields } from '../did-you-mean.js'
import { select } from '../select.js'
import type { Rule } from './rule.js'

const accountFields = ['as', 'username', 'password'] as const
const incomplete: ReadonlyMap<string, string> = new Map([
  ['', 'names no account'],
  ['username', 'names an account without its `password`'],
  ['password', 'has a password and no `username`'],
])

/** Who signs in is the administrator, or one other account with its name and password. Public sources. */
export const signInNamesOneAccount: Rule = function* ({ value }) {
  for (const { pointer, value: signIn } of select(value, '/spec/site/signIn')) {
    if (!isObject(signIn)) continue
    const misspelt = misspeltFields(signIn, [...accountFields, 'lifetime', 'path'])
    const named = accountFields.filter(name => name in signIn || misspelt.includes(name)).join(' ')
    if (named === 'as' || named === 'username password') continue
    yield diagnose('site/sign-in', pointer, { problem: incomplete.get(named) ?? 'names two accounts' })
  }
}
