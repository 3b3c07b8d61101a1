import type { ParameterName } from '../../contract/operations.js'
import { connectionStringFields, token } from '../../contract/parameter.js'
import {
  exportFileEnding,
  type exportResultFields,
  inaccessibleLocationCode,
  results,
} from '../../contract/responses.js'
import { findIntroduction, includes } from '../../contract/versions.js'
import { buildResponse, rejectRequest } from './answers.js'
import type { Json } from './json.js'
import { checkToken, type Parameters, readParameters } from './parameters.js'
import { type Check, choiceCheck, record, text } from './shape.js'
import type { Handler } from './world.js'

/** The token of the administrator. Only this role may export, but no parameter for that is documented. Service §5.1. */
const sender = token('5.1', findIntroduction('exportSite'))

const checks = {
  location: text,
  // No value but `true` is documented; `false` is the obvious opposite.
  validate: choiceCheck(['true', 'false']),
  backupObjectStore: text,
  backupObjectStoreRegion: text,
  backupObjectStoreConnectionStr: record(
    Object.fromEntries(connectionStringFields.map(name => [name, text])),
  ),
  token: text,
} satisfies Record<Exclude<ParameterName<'exportSite'>, 'f'> | typeof sender.name, Check>

type ExportResult = Partial<Record<keyof typeof exportResultFields, Json>>

/**
 * Writes an export, or only checks whether it could be written. Service §4.1.
 *
 * Reads the token from the body, as other operations do, and requires it only if one was chosen. Service §5.
 * Not documented: whether the site must be ready, and the answer to an export without `validate` that cannot be
 * written; here it gets the same error as the check.
 */
export const exportSite: Handler = (world, request, now) => {
  const reading = readParameters(world, request, {
    operation: 'exportSite',
    checks,
    alsoRequired: ['location'],
    alsoKnown: [sender],
  })
  if (!reading.ok) return rejectRequest(world, request, { message: reading.error })
  const { values } = reading.value
  const problem = checkToken(world, reading.value) ?? checkVariant(reading.value)
  if (problem !== undefined) return rejectRequest(world, request, { message: problem })
  const unwritable = [values.get('location'), values.get('backupObjectStore')].some(
    place => typeof place === 'string' && world.unwritableLocations.includes(place),
  )
  if (unwritable) return rejectRequest(world, request, inaccessible)
  if (values.get('validate') === 'true') return [world, buildResponse(request, { status: results.success })]
  const location = buildExportName(String(values.get('location')), now)
  const warns =
    world.missingItems && includes(world.version, findIntroduction('exportSite success with warning'))
  const result = warns
    ? ({ status: results.warning, location, messages: [itemsMissing] } satisfies ExportResult)
    : ({ status: results.success, location } satisfies ExportResult)
  return [world, buildResponse(request, result)]
}

const inaccessible = {
  code: inaccessibleLocationCode,
  message: 'The location cannot be written. It must be accessible to the service account.',
}

const itemsMissing = 'Some items are in the database of the portal but not in its content directory.'

/** Checks that the variants are not mixed. Allows a bucket without a region: no parameter is documented as required. */
function checkVariant({ values }: Parameters): string | undefined {
  const region = values.has('backupObjectStoreRegion')
  const connection = values.has('backupObjectStoreConnectionStr')
  if (region && connection)
    return 'backupObjectStoreRegion is of a bucket, backupObjectStoreConnectionStr of a container; none has both.'
  const targeted = values.has('backupObjectStore')
  return (region || connection) && !targeted ? 'The parameter backupObjectStore is missing.' : undefined
}

/** `<location>/<yyyymmdd-hhmmss>.portalsite`, in UTC. Service §2.1. */
function buildExportName(location: string, now: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T')
  const stamp = `${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}`
  return `${location.endsWith('/') ? location.slice(0, -1) : location}/${stamp}${exportFileEnding}`
}
