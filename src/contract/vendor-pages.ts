const administration = 'https://developers.arcgis.com/rest/enterprise-administration/enterprise'

/** Public pages of the vendor. Users have these instead of the service document. */
export const vendorPages = {
  root: `${administration}/enterprise-admin-root`,
  configure: `${administration}/configure`,
  update: `${administration}/update-upgrade-configurations`,
  profiles: 'https://enterprise-k8s.arcgis.com/en/latest/deploy/architecture-profiles.htm',
} as const

/** The page about a section of the service document, if one is known. */
const pages: Readonly<Record<string, string>> = {
  '2.3': vendorPages.root,
  '2.4': vendorPages.configure,
  '2.5': vendorPages.configure,
  '2.6': vendorPages.configure,
  '2.7': vendorPages.update,
  '2.9': vendorPages.configure,
  '2.10': vendorPages.profiles,
  '4.3': vendorPages.configure,
  '4.4': vendorPages.update,
  '8': vendorPages.configure,
  '9': vendorPages.configure,
}

/** Replaces the sections of the service document in a source by public pages; `undefined` if nothing is left. */
export function citePublicly(source: string): string | undefined {
  const [cited = '', ...others] = source.split('; ')
  if (!cited.startsWith('Service')) return source
  if (!cited.includes('§')) return vendorPages.root
  const sections = cited.split('§').map(part => /^\d+(?:\.\d+)?/.exec(part)?.[0] ?? '')
  const found = new Set(sections.flatMap(section => pages[section] ?? []))
  const kubernetes = cited.endsWith(', Kubernetes') ? ['Kubernetes'] : []
  const all = [...found, ...kubernetes, ...others.map(other => other.replace(/^r/, 'R'))]
  return all.length === 0 ? undefined : all.join('; ')
}
