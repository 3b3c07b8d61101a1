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

// What public sources report and the document leaves without a name.
const reported = fieldsOf('configure')
  .filter(({ source }) => source === 'reported')
  .map(({ parameter }) => parameter)

/** A parameter that the document does not have, and that somebody said the service takes. */
function accepted(name: string): Parameter {
  return { ...parameterOf('configure', 'f'), name }
}

/** Begins the one configuration that a site ever gets, and answers at once. Service §4.3. */
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

// How the service takes a second one is not shown, after a failed one neither; each is refused.
const refusals: Readonly<Record<Exclude<SiteState, 'new'>, string>> = {
  in_progress: 'The site is being configured.',
  ready: 'The site is already configured.',
  configured: 'The site is already configured.',
  failed: 'The configuration of the site has failed.',
}

/** What may be kept of a configuration: everything but its secrets, with the default profile filled in. */
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
