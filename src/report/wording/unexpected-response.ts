import type { UnexpectedResponse, UnexpectedResponseReason } from '../../client/failure.js'
import { display } from '../display.js'

const reasons: Readonly<Record<UnexpectedResponseReason, (response: UnexpectedResponse) => string>> = {
  'not-a-json-object': () => 'not a JSON object',
  'not-a-site-root': () => 'not a site root resource',
  'unexpected-shape': ({ at = '' }) =>
    at === '' ? 'not the documented fields' : `not the documented value at ${display(at, 200)}`,
  'unexpected-status': ({ status }) => `HTTP ${status} with a body that is no error`,
  compressed: () => 'compressed, though no compression was requested',
  'no-configuration': () => 'no sign of a configuration',
  'no-token': () => 'no token',
  'no-export-location': () => 'no location of the exported file',
}

/** The reason that an answer is not one of the service. */
export function describeUnexpectedResponse(response: UnexpectedResponse): string {
  return reasons[response.reason](response)
}
