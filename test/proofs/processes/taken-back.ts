import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { landformProgram } from '../../support/landform-program.js'
import { judged } from './brought-to-end.js'
import { environmentOf, landformApply, type Place, preloadOf, startedApply } from './landform-process.js'
import type { RealSites } from './real-site.js'

/**
 * Follows what a run says that ends with 4 where nothing was ever accepted: the command that it names takes the request
 * back, once it had its time, and the next apply configures the site.
 */
export async function takenBack(place: Place, sites: RealSites): Promise<readonly string[]> {
  const told = startedApply(place, { seconds: 1 }, ['ignore', 'ignore', 'pipe'])
  let said = ''
  told.stderr?.setEncoding('utf8').on('data', text => {
    said += text
  })
  await once(told, 'close')
  const [, words] = /`landform (state discard-intent [^`]*--intent [^`]*)`/.exec(said) ?? []
  if (words === undefined) return ['a run that ends with 4 names no command to go on with']
  const node = `'${process.execPath}' --require '${preloadOf('hurried')}' '${landformProgram}'`
  const child = spawn('sh', ['-c', `${node} ${words}`], { env: environmentOf(place), stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  if (code !== 0) return [`the command that it names ended with ${code}: landform ${words}`]
  const before = await sites.counted(place.url)
  const exitCode = await landformApply(place)
  const { violations, stuck } = await judged(place, sites, { exitCode, before })
  return [...violations, ...(stuck === undefined ? [] : [`after the request was taken back: ${stuck}`])]
}
