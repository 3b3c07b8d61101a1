import { operations } from '../../contract/operations.js'
import { type Gate, gateOf } from '../../operations/version-gate.js'
import { exitCodes } from '../exit-code.js'
import type { Failure } from '../terminal/output.js'
import type { Target } from './target.js'

/** Why the version of a site cannot do what was asked for; nothing where it can, or nobody named it. Service §9. */
export function gateFailure({ version }: Target, needs: readonly Gate['what'][]): Failure | undefined {
  const gate = gateOf(version, needs)
  if (gate === undefined) return undefined
  return {
    exitCode: exitCodes.refused,
    message: `${words[gate.what]} exists from version ${gate.since} of the service on, and the site has ${version}; nothing was sent`,
    next: 'upgrade the site first, or correct the version',
  }
}

/** What a refusal may come from where nobody named the version. */
export function versionHint({ version }: Target, operation: 'exportSite' | 'deleteAll'): string {
  return version === undefined
    ? `; the version of the site was not named, and ${operation} exists from ${operations[operation].since} on`
    : ''
}

const words = {
  exportSite: 'exportSite',
  'exportSite validate': 'the check of a location, --validate,',
  deleteAll: 'deleteAll',
} as const satisfies Record<Gate['what'], string>
