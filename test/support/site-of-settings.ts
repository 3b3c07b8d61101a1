import type { Socket } from 'node:net'
import { http, type Reaction } from './answering-site.js'
import { startRawServer } from './raw-server.js'

/** What a ready site answers at its root. Service §2.3. */
export const readyRoot = {
  fullVersion: '11.2.0',
  currentVersion: 11.2,
  resources: ['orgs', 'logs', 'system', 'datastores', 'uploads', 'services'],
  status: { state: 'ready', message: 'The organization was created.', warnings: [], stages: [] },
  info: { build: '1' },
}

/** Where the settings are. Written out here, for the contract may have them wrong. */
export const settingPaths = {
  upgrades: '/system/upgrades',
  upgradeConfig: '/system/upgrades/config',
  profile: '/system/architectureprofiles',
  availability: '/system/availabilityprofiles',
  performance: '/system/performanceprofiles',
  logLevel: '/logs/settings',
  systemProperties: '/system/properties',
  cloudStorage: '/cloud/providers',
} as const

export type SettingAnswers = Readonly<Partial<Record<keyof typeof settingPaths | 'root', Reaction>>>

const nothingThere = http(404, '{"error":{"code":404,"message":"There is no such resource.","details":null}}')

/** A site of raw bytes that answers each resource in a way of its own, and remembers every request. */
export async function siteOfSettings(answers: SettingAnswers) {
  const byPath = new Map<string, Reaction | undefined>([
    ['', answers.root ?? http(200, JSON.stringify(readyRoot))],
    ...Object.entries(settingPaths).map(
      ([name, path]) => [path, answers[name as keyof typeof settingPaths]] as const,
    ),
  ])
  const base = '/arcgis/admin'
  const server = await startRawServer((socket: Socket, received) => {
    if (!received.includes('\r\n\r\n')) return
    const [, target = ''] = received.split(' ')
    const [path = ''] = target.split('?')
    const reaction = byPath.get(path.slice(base.length)) ?? nothingThere
    if (typeof reaction === 'string') socket.end(reaction)
    else reaction(socket)
  })
  return {
    url: `http://127.0.0.1:${server.port}${base}`,
    requests: () => server.received.filter(text => text !== ''),
  }
}
