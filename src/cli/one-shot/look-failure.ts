import type { WebhooksLook } from '../../operations/list-webhooks.js'
import { exitCodeOfReferences } from '../exit-code.js'
import { lookFailed } from '../site/observe.js'
import type { Failure } from '../terminal/output.js'
import type { StopSignal } from '../terminal/stop-signal.js'
import type { Target } from './target.js'

/** Why a deletion does not go on after the look; a site that does not say what it has is no reason. */
export function lookFailure(look: WebhooksLook, site: Target, watch: StopSignal): Failure | undefined {
  switch (look.kind) {
    case 'listed':
    case 'not-said':
      return undefined
    case 'interrupted':
      return { exitCode: watch.exitCode(), message: 'interrupted; nothing was sent' }
    case 'references':
      return {
        exitCode: exitCodeOfReferences(look.diagnostics),
        message: 'the token is missing or unfit; nothing was sent',
        diagnostics: look.diagnostics.map(site.placed),
      }
    case 'not-reached':
      return lookFailed(site.url, look.failure)
    default:
      return look satisfies never
  }
}
