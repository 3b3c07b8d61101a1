import { logLevelField } from '../../contract/structures.js'
import { isErrorResponse } from '../service/answers.js'
import { isObject, parseJson } from '../service/json.js'
import type { RequestPart } from '../service/request.js'
import type { Handler } from '../service/world.js'
import { readAdministrator } from './administrator.js'

/**
 * Begins a configuration as documented, and stores the administrator whose tokens will be valid.
 *
 * Reported: an empty log level means none. It is not known what the service does with a second `configure` after a failed
 * one, so it is rejected like every second one.
 */
export const configure =
  (documented: Handler): Handler =>
  (world, request, now) => {
    const { body } = request
    const sent =
      body.encoding === 'unreadable'
        ? request
        : { ...request, body: { ...body, parts: body.parts.filter(part => !isEmptyLogLevel(part)) } }
    const [next, response] = documented(world, sent, now)
    if (isErrorResponse(response)) return [next, response]
    const administrator = readAdministrator(request, world.field.key)
    return [{ ...next, field: { ...next.field, administrator } }, response]
  }

function isEmptyLogLevel(part: RequestPart): boolean {
  if (part.kind !== 'text' || part.name !== 'logSettings') return false
  const settings = parseJson(part.text)
  return isObject(settings) && Object.keys(settings).length === 1 && settings[logLevelField] === ''
}
