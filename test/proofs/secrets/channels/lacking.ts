import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { http, httpDouble, json } from '../../../support/http-double.js'
import { readyRoot, settingPaths } from '../../../support/site-of-settings.js'
import { letters } from '../canaries.js'
import { echoingSite } from './echoing.js'
import type { Scene } from './scene.js'

/** Keeps every secret in a variable, so that a process can lack one. */
export const lackingSetting = { sources: 'variables' } as const

/**
 * Searches the output of processes that lack the password, at a ready site that repeats it in each of its texts: in the build,
 * in settings, in names of webhooks, in the location of an export, and in the target of a redirect. Commands without a manifest
 * have it in the variable of the administrator.
 */
export async function lacking(scene: Scene): Promise<void> {
  const { place, ledger, run, reference } = scene
  const { password } = place.canaries
  const environment = { LANDFORM_PASSWORD: '' }
  for (const isElsewhere of [false, true]) {
    const site = await repeatingSite(`${place.control.value} ${password}`, isElsewhere)
    const named = isElsewhere ? 'redirects' : 'is ready'
    const channel = 'processes without a secret that the site repeats'
    const file = place.write(`lacking ${named}.yaml`, { url: site.url, token: reference('token') })
    const kept = ['--state', `file:kept ${named}`]
    const saved = join(place.folder, `plan ${named}.json`)
    const expected = isElsewhere ? [4, 78] : [0, 2, 3, 5]
    const expect = async (...words: readonly string[]) => {
      const code = await run(words, { channel, environment })
      if (!expected.includes(code)) scene.report(`${words.join(' ')} of a site that ${named}: ${code}`)
    }
    for (const format of ['text', 'json', 'html', 'markdown'])
      await expect('plan', file, '-v', ...kept, '--format', format)
    for (const format of ['text', 'json', 'markdown'])
      await expect('drift', file, ...kept, '--format', format)
    await expect('status', file, '-v', '--format', 'json')
    await expect('plan', file, '--out', saved, ...kept)
    await expect('apply', file, '--yes', '-v', '--events', join(place.folder, `events ${named}`), ...kept)
    // This command sends nothing to the site, so the redirect does not end it.
    const origins = ['render', file, '--origins', 'spec.upgrade.podPlacementPolicy', ...kept]
    if ((await run(origins, { channel, environment })) !== 0) scene.report(`${origins.join(' ')} failed`)
    for (const format of ['text', 'json'])
      await expect('export-site', file, '--location', '/b', '--yes', '--format', format)
    const service = 'Roads.FeatureServer'
    const { host } = new URL(site.url)
    await expect('webhooks', 'delete-all', service, file, '--confirm', `${service}@${host}`)
    for (const words of [
      ['adopt', '-', '--state', `file:adopted ${named}`],
      ['export-site', '--location', '/b', '--yes', '--format', 'json'],
    ])
      await run([...words, '--url', site.url], {
        channel,
        environment: { ...environment, LANDFORM_ADMIN_PASSWORD: password },
      })
    if (site.requests() < 10) scene.report(`${channel}: only ${site.requests()} requests`)
    if (!isElsewhere && !readFileSync(saved, 'utf8').includes('[withheld]'))
      scene.report(`${channel}: the plan repeats no text of the site`)
    await site.close()
  }
  ledger.seeFiles('files about a site that repeats a secret', place.folder, place.isSource)
}

async function repeatingSite(text: string, isElsewhere: boolean) {
  const policy = {
    tolerations: [{ key: text, operator: 'Exists', value: text }],
    nodeAffinity: {},
    [text]: text,
  }
  const answers: Readonly<Record<string, object>> = {
    '/admin': {
      ...readyRoot,
      info: { build: text },
      status: { state: 'ready', message: text, warnings: [text], stages: [{ name: text, state: text }] },
    },
    [settingPaths.upgradeConfig]: { podPlacementPolicy: policy, [text]: text },
    [settingPaths.logLevel]: { logLevel: text.slice(0, 100) },
    [settingPaths.systemProperties]: { [text]: text },
    '/services/Roads.FeatureServer/webhooks': { webhooks: [{ name: text, id: text }] },
    '/exportSite': { status: 'success with warning', location: text, messages: [text] },
  }
  const site = await httpDouble([
    ...(isElsewhere
      ? [{ reply: http(302, '', `location: https://a.example/${encodeURIComponent(text)}\r\n`) }]
      : []),
    ...Object.entries(answers).map(([end, body]) => ({
      path: new RegExp(`${end}(?:\\?|$)`),
      reply: json(body),
    })),
    { method: 'POST', reply: json({ error: { code: 400, message: text, details: [text] } }) },
    { reply: json({}, 404) },
  ])
  return { url: site.url, requests: () => site.requests.length, close: site.close }
}

const key = letters('the key of a license', 16)

/** A license with a hundred longer words before its key. */
export const licensedSetting = {
  secrets: {
    license: [...Array.from({ length: 100 }, (_, at) => letters(`${at} of a license`, 17)), key].join('\n'),
  },
} as const

/** Searches runs at a site that quotes the key at the end of a license, also of one too large to be redacted by parts. */
export async function licensed(scene: Scene): Promise<void> {
  const { place, ledger, run, reference } = scene
  for (const padding of [0, 200_000]) {
    writeFileSync(join(place.folder, 'licenses/license'), place.canaries.license + '\n'.repeat(padding))
    const site = await echoingSite(place.control.value, () => `the key ${key}`, 'no')
    const channel = `a site that quotes the key of a license with ${padding} more bytes`
    const file = place.write(`licensed ${padding}.yaml`, { url: site.url, token: reference('token') })
    const words = ['apply', file, '--yes', '-v', '--timeout', '20s', '--poll-interval', '20ms']
    const code = await run([...words, '--state', `file:licensed ${padding}`], { channel })
    if (code === 0 || site.bodies() < 2) scene.report(`${channel}: ${code}, ${site.bodies()} requests`)
    await site.close()
  }
  ledger.seeFiles('files about a site that quotes a license', place.folder, place.isSource)
}
