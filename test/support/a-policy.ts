import { loadPolicy } from '../../src/policy/load-policy.js'
import type { Policy } from '../../src/policy/policy.js'
import type { JsonValue } from '../../src/schema/json-schema.js'
import { aSource } from './changed-manifest.js'

/** Returns the text of a policy with these rules, as JSON, which is valid YAML. */
export function policyText(...rules: readonly JsonValue[]): string {
  return JSON.stringify({ apiVersion: 'landform.dev/v1', kind: 'SitePolicy', rules }, null, 1)
}

/** Loads a policy with one rule that requires `require` of every manifest; `rule` adds or replaces its members. */
export function aPolicy(require: JsonValue, rule: Readonly<Record<string, JsonValue>> = {}): Policy {
  const loaded = loadPolicy(aSource(policyText({ name: 'some-rule', require, ...rule }), 'some.policy.yaml'))
  if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => message).join('\n'))
  return loaded.value
}
