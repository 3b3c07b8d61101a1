import { listFields } from '../../contract/fields.js'
import { findParameter, operations } from '../../contract/operations.js'
import type { Parameter } from '../../contract/parameter.js'
import { defaultProfile } from '../../contract/profiles.js'
import { profileField } from '../../contract/structures.js'
import { buildResponse, rejectRequest } from './answers.js'
import { buildCloudConfigCheck, removeSecrets } from './cloud-config.js'
import { configureChecks } from './configure-checks.js'
import type { EmulatorJsonObject } from './json.js'
import { type Parameters, readParameters } from './parameters.js'
import { buildImmediateBody } from './root-answer.js'
import { computeSiteState, type EmulatedSiteState } from './site-state.js'
import type { Handler } from './world.js'

// Parameters that public sources report and the document does not name.
const reported = listFields('configure')
  .filter(({ source }) => source === 'reported')
  .map(({ parameter }) => parameter)

/** Makes a parameter that the document does not have, from an option of the emulator. */
function toParameter(name: string): Parameter {
  return { ...findParameter('configure', 'f'), name }
}

/** Begins the only configuration that a site ever gets, and answers at once. Service §4.3. */
export const configure: Handler = (world, request, now) => {
  const rules = {
    operation: 'configure',
    checks: { ...configureChecks, cloudConfig: buildCloudConfigCheck(world) },
    alsoKnown: [...reported, ...world.accepted.map(toParameter)],
  } as const
  const reading = readParameters(world.version, request, rules)
  if (!reading.ok) return rejectRequest(world, request, { message: reading.error })
  const state = computeSiteState(world, now)
  if (state !== 'new') return rejectRequest(world, request, { message: rejectionMessages[state] })
  const configuration = { begunAt: now, parameters: selectPublicParameters(reading.value) }
  return [
    { ...world, configuration },
    buildResponse(request, buildImmediateBody({ ...world, configuration }, now)),
  ]
}

// The reaction to a second `configure` is not documented, not even after a failed one; each is rejected.
const rejectionMessages: Readonly<Record<Exclude<EmulatedSiteState, 'new'>, string>> = {
  in_progress: 'The site is being configured.',
  ready: 'The site is already configured.',
  configured: 'The site is already configured.',
  failed: 'The configuration of the site has failed.',
}

/** Selects the parameters of a configuration that may be stored: all but secrets, with the default profile filled in. */
function selectPublicParameters({ values }: Parameters): EmulatorJsonObject {
  const all: readonly Parameter[] = operations.configure.parameters
  const kept = [...values].filter(([name]) =>
    all.some(parameter => parameter.name === name && name !== 'f' && parameter.secret !== true),
  )
  return {
    systemArchitectureProfile: { [profileField]: defaultProfile },
    ...Object.fromEntries(
      kept.map(([name, value]) => [name, name === 'cloudConfig' ? removeSecrets(value) : value]),
    ),
  }
}
