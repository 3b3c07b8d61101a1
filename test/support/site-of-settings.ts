import { type Answer, http, httpDouble } from './http-double.js'

/** The root resource of a ready site. Service §2.3. */
export const readyRoot = {
  fullVersion: '11.2.0',
  currentVersion: 11.2,
  resources: ['orgs', 'logs', 'system', 'datastores', 'uploads', 'services'],
  status: { state: 'ready', message: 'The organization was created.', warnings: [], stages: [] },
  info: { build: '1' },
}

/** Paths of the settings. Written out here, to detect mistakes in the contract. */
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

export type SettingAnswers = Readonly<Partial<Record<keyof typeof settingPaths | 'root', Answer>>>

const nothingThere = http(404, '{"error":{"code":404,"message":"There is no such resource.","details":null}}')

/** Starts a site with an answer for each resource. Default: a ready root, and 404 for everything else. */
export async function siteOfSettings(answers: SettingAnswers) {
  const base = '/arcgis/admin'
  const paths: Readonly<Record<string, string>> = { root: '', ...settingPaths }
  const given = Object.entries({ root: http(200, JSON.stringify(readyRoot)), ...answers })
  const rules = given.map(([name, reply]) => ({
    path: new RegExp(`^${base}${paths[name]}(?:\\?|$)`),
    reply: reply ?? nothingThere,
  }))
  const double = await httpDouble([...rules, { reply: nothingThere }])
  return { url: `http://${double.host}${base}`, requests: () => double.received.filter(text => text !== '') }
}
