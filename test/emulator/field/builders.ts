import { parseTarget } from '../../../src/emulator/http/exchange.js'
import type { EmulatorJsonObject } from '../../../src/emulator/service/json.js'
import type { ServiceRequest } from '../../../src/emulator/service/request.js'
import { newWorld, type World, type WorldOptions } from '../../../src/emulator/service/world.js'
import { aConfigure, after, aRequest, ask, begin, partsOf, type Values } from '../service/builders.js'

/** A site with field fidelity whose stages take 100 ms each. */
export function aFieldWorld(options: WorldOptions = {}): World {
  return newWorld({ stageMs: 100, fidelity: 'field', ...options })
}

/** The same site, configured at `begin`. */
export function aBegunSite(options: WorldOptions = {}): World {
  return after(aFieldWorld(options), begin, aConfigure())
}

/** The end of a stage, counted from 1; the fourth takes no time. */
export const afterStage = (stage: number) => begin + 100 * (stage > 4 ? stage - 1 : Math.min(stage, 3))
/** From here on everything requires a token. */
export const secured = afterStage(8)
/** From here on tokens are issued. */
export const portalUp = afterStage(9)
/** From here on the site is ready. */
export const readyAt = afterStage(14) + 100

export function aGet(path: string, values: Values = {}): ServiceRequest {
  const query = partsOf(values).filter(part => part.kind === 'text')
  const request = aRequest(parseTarget(path), { encoding: 'none', parts: [] }, 'GET')
  return { ...request, query, path }
}

export function aPost(path: string, values: Values = {}): ServiceRequest {
  return { ...aRequest(parseTarget(path), { encoding: 'form', parts: partsOf(values) }), path }
}

export const tokenService = '../sharing/rest/generateToken'

/** The administrator's request for a token. */
export function aTokenRequest(values: Values = {}): ServiceRequest {
  const credentials = { username: 'siteadmin', password: 'correct-horse-1' }
  return aPost(tokenService, { ...credentials, client: 'referer', referer: 'x', f: 'json', ...values })
}

export function aToken(world: World, now = portalUp): string {
  return String(ask(world, aTokenRequest(), now).body['token'])
}

/** Returns `status` of the root resource, read with a token. */
export function statusAt(world: World, now: number): EmulatorJsonObject {
  const bearer = aToken(world, readyAt)
  return ask(world, { ...aGet(''), bearer }, now).body['status'] as EmulatorJsonObject
}
