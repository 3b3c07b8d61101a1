import type { Check } from './check.js'

/** The checks of `npm run verify`, in the order in which they run; each is in the file `NAME.check.ts`. */
export const checkNames: readonly string[] = [
  'model',
  'sim',
  'mutants',
  'mutation',
  'kill',
  'syscalls',
  'concurrency',
  'database',
  'servers',
  'cuts',
  'faults',
  'time',
  'exit',
  'resume',
  'fleet-sim',
  'sites',
  'fleet',
  'multipart',
  'secrets',
  'tls',
  'redirect',
  'emulator',
  'yaml',
  'files',
  'output',
  'types',
  'properties',
  'terminal',
  'pipeline',
  'contributing',
  'nodes',
  'supply',
  'image',
]

/** Loads one check, with everything that it needs. */
export async function loadCheck(name: string): Promise<Check> {
  return (await import(`./${name}.check.js`)).check
}

/** Loads all checks, one after the other. */
export async function loadChecks(): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const name of checkNames) checks.push(await loadCheck(name))
  return checks
}
