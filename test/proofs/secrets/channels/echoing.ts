import { licenseValidation } from '../../../../src/contract/field-notes.js'
import { httpDouble, json } from '../../../support/http-double.js'
import { type Spelling, spellingNames, spellings } from '../../../support/spellings.js'
import { container } from './place.js'
import type { Scene } from './scene.js'

/** The spellings in which the sites of a fleet repeat secrets. */
export const written = ['as it came', 'as JSON', 'as an address', 'as base64'] as const

/**
 * Searches the output of runs at a service that repeats everything that it received: in errors, progress, warnings and names,
 * at once and later, and to later processes that sent nothing.
 */
export async function echoing(scene: Scene, isShort: boolean): Promise<void> {
  const { place, ledger, run, reference } = scene
  const { control } = place
  for (const spelling of chosen(place.seed, isShort))
    for (const says of ['yes', 'no'] as const) {
      const site = await echoingSite(control.value, spellings[spelling], says)
      const channel = `texts of a service that repeats ${spelling} and says ${says}`
      const file = place.write(`${spelling} ${says}.yaml`, { url: site.url, token: reference('token') })
      const state = ['--state', `file:kept ${spelling} ${says}`]
      const words = ['apply', file, '--yes', '-v', '--timeout', '20s', '--poll-interval', '20ms', ...state]
      await run(words, { channel })
      for (const later of [
        ['status', file, '-v'],
        ['plan', file, '-v', ...state],
        ['drift', file, ...state],
        words,
      ])
        await run(later, { channel: `${channel}, to a later process` })
      const key = ['--account-key', place.option('accountKey'), '--token', place.option('token'), '--yes']
      await run(['export-site', file, '--location', '/b', ...container, ...key], { channel })
      const service = 'Roads.FeatureServer'
      const confirmed = ['--confirm', `${service}@${new URL(site.url).host}`]
      await run(['webhooks', 'delete-all', service, file, ...confirmed], { channel })
      await site.close()
      if (site.bodies() < 3) scene.report(`${channel}: only ${site.bodies()} requests to repeat`)
    }
  ledger.seeFiles(
    'files about a service that repeats secrets',
    place.folder,
    path => !path.includes('/kept '),
  )
}

/** Lists all spellings; in the short form two, selected by the seed. */
function chosen(seed: number, isShort: boolean): readonly Spelling[] {
  return spellingNames.filter((_, at) => !isShort || at % 9 === seed % 9)
}

export async function echoingSite(control: string, write: (body: Buffer) => string, says: 'yes' | 'no') {
  let echo = ''
  let looks = 0
  let bodies = 0
  let isConfigured = false
  let isHeld = false
  const root = (status: object) => ({
    fullVersion: '11.2.0',
    currentVersion: 11.2,
    resources: ['orgs'],
    status,
  })
  const answer = (isPost: boolean, path: string) => {
    // The token is last in a body, and a long text is shortened at its end.
    const text = `${control} ${echo.slice(-300)} ${echo}`
    const refusal = { error: { code: 400, message: text, details: null } }
    // A rejected license would end the run.
    if (path.endsWith(licenseValidation)) return { MyEsri: { definitions: { userTypes: [{ id: text }] } } }
    if (isPost && (says === 'no' || path.endsWith('/exportSite'))) return refusal
    if (isPost && !path.endsWith('/configure')) return refusal
    if (echo === '' || says === 'no') return root({})
    if (!isHeld) looks += 1
    const stages = [{ name: text, state: 'in_progress', startTime: 0, lastUpdated: 1 }]
    return root({ state: looks > 8 ? 'ready' : 'in_progress', message: text, warnings: [text], stages })
  }
  const site = await httpDouble([
    {
      reply({ method, path, body }) {
        const isPost = method === 'POST'
        if (isPost) {
          echo = write(Buffer.from(body, 'latin1'))
          bodies += 1
          isConfigured ||= path.endsWith('/configure')
        }
        return json(answer(isPost, path))
      },
    },
  ])
  return {
    url: site.url,
    bodies: () => bodies,
    isConfigured: () => isConfigured,
    /** Holds a configuration in progress, or releases it. */
    hold(how: boolean) {
      isHeld = how
    },
    close: site.close,
  }
}
