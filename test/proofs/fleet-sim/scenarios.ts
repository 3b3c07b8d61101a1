import { aSetting, hourMs, type Setting } from './setting.js'

/** A fleet whose course is worth a line in the documentation. */
export interface Scenario {
  /** Ends the sentence "a fleet …". */
  readonly what: string
  readonly setting: Setting
}

const ten = { workers: 10, limit: 50 }

/** The same fleet, and what may befall it. */
export function scenarios(sites: number): readonly Scenario[] {
  const share = (part: number) => Math.max(1, Math.round(sites * part))
  const of = (changes: Partial<Setting>) => aSetting({ seed: 9, sites, ...ten, ...changes })
  const half = Array.from({ length: 5 }, (_, worker) => ({ worker, atMs: (4 + worker / 10) * hourMs }))
  return [
    { what: 'of ten workers with fifty sites each', setting: of({}) },
    { what: 'of which 200 sites are under way at once', setting: of({ fleetLimit: 200 }) },
    { what: 'that begins with one site, then a tenth', setting: of({ waves: '1,10%,100%' }) },
    { what: 'that loses half of its workers after four hours', setting: of({ deaths: half }) },
    {
      what: 'that gets a hundredth more after six hours, to go first',
      setting: of({ urgent: { sites: share(0.01), afterMs: 6 * hourMs } }),
    },
    {
      what: 'of which a third is submitted again after an hour',
      setting: of({ again: { sites: share(1 / 3), afterMs: hourMs } }),
    },
    { what: 'of two workers with twenty sites each', setting: of({ workers: 2, limit: 20 }) },
  ]
}
