import { fieldsOf } from '../../contract/fields.js'
import { operations, parameterOf } from '../../contract/operations.js'
import type { Parameter } from '../../contract/parameter.js'
import { defaultProfile } from '../../contract/profiles.js'
import { profileField } from '../../contract/structures.js'
import { answer, refuse } from './answers.js'
import { cloudConfig, withoutSecrets } from './cloud-config.js'
import { configureChecks } from './configure-checks.js'
import type { JsonObject } from './json.js'
import { type Parameters, readParameters } from './parameters.js'
import { immediateBody } from './root-answer.js'
import { type SiteState, siteState } from './site-state.js'
import type { Handler } from './world.js'

// Parameters that public sources report and the document does not name.
const reported = fieldsOf('configure')
  .filter(({ source }) => source === 'reported')
  .map(({ parameter }) => parameter)

/** Makes a parameter that the document does not have, from an option of the emulator. */
function accepted(name: string): Parameter {
  return { ...parameterOf('configure', 'f'), name }
}

/** Begins the only configuration that a site ever gets, and answers at once. Service §4.3. */
export const configure: Handler = (world, request, now) => {
  const rules = {
    operation: 'configure',
    checks: { ...configureChecks, cloudConfig: cloudConfig(world) },
    alsoKnown: [...reported, ...world.accepted.map(accepted)],
  } as const
  const reading = readParameters(world.version, request, rules)
  if (!reading.ok) return refuse(world, request, { message: reading.error })
  const state = siteState(world, now)
  if (state !== 'new') return refuse(world, request, { message: refusals[state] })
  const configuration = { begunAt: now, parameters: publicParameters(reading.value) }
  return [{ ...world, configuration }, answer(request, immediateBody({ ...world, configuration }, now))]
}

// The reaction to a second `configure` is not documented, not even after a failed one; each is rejected.
const refusals: Readonly<Record<Exclude<SiteState, 'new'>, string>> = {
  in_progress: 'The site is being configured.',
  ready: 'The site is already configured.',
  configured: 'The site is already configured.',
  failed: 'The configuration of the site has failed.',
}

/** Selects the parameters of a configuration that may be stored: all but secrets, with the default profile filled in. */
function publicParameters({ values }: Parameters): JsonObject {
  const all: readonly Parameter[] = operations.configure.parameters
  const kept = [...values].filter(([name]) =>
    all.some(parameter => parameter.name === name && name !== 'f' && parameter.secret !== true),
  )
  return {
    systemArchitectureProfile: { [profileField]: defaultProfile },
    ...Object.fromEntries(
      kept.map(([name, value]) => [name, name === 'cloudConfig' ? withoutSecrets(value) : value]),
    ),
  }
}
