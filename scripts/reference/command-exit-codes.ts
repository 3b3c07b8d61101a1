/** Codes that any command may exit with. */
export const ofEveryCommand: readonly number[] = [0, 64, 70, 129, 130, 141, 143]

const ofSite = [65, 66, 69, 74, 75, 77, 78]

/** The further exit codes of each command; the tests compare this with every printed code. */
const ofCommand: Readonly<Record<string, readonly number[]>> = {
  init: [65, 66, 78],
  validate: [65, 66, 74, 78],
  render: [65, 66, 74, 78],
  plan: [2, 4, 5, 6, ...ofSite],
  show: [6, 65, 66, 74],
  comment: [5, 6, 65, 66, 69, 75, 77, 78],
  apply: [3, 4, 5, 6, 7, ...ofSite],
  status: [3, 4, 5, 6, ...ofSite],
  drift: [2, 3, 4, 5, 6, ...ofSite],
  probe: [...ofSite],
  adopt: [3, 4, 5, 6, 7, ...ofSite],
  'export-site': [4, 5, 6, ...ofSite],
  'webhooks delete-all': [4, 5, 6, ...ofSite],
  'state show': [65, 66, 74, 78],
  'state unlock': [6, 7, 65, 66, 74, 78],
  'state move': [6, 7, 65, 66, 74, 78],
  'state discard-intent': [4, 5, 6, 7, ...ofSite],
  'fleet submit': [65, 66, 74, 78],
  'fleet worker': [7, 65, 66, 69, 74, 78],
  'fleet status': [3, 4, 5, 6, 7, ...ofSite],
  'fleet cancel': [65, 66, 74, 78],
  'fleet resume': [4, 65, 66, 74, 78],
  'fleet history': [65, 66, 74, 78],
  'fleet prune': [65, 66, 74, 78],
  'fleet ui': [65, 66, 69, 74, 78],
  explain: [],
  schema: [],
  test: [2, 65, 66, 74],
  emulate: [65, 66, 69],
  completion: [],
}

export function listExitCodes(name: string): readonly number[] {
  const own = ofCommand[name]
  if (own === undefined)
    throw new Error(`scripts/reference/command-exit-codes.ts has no exit codes of ${name}`)
  return [...ofEveryCommand, ...own].toSorted((a, b) => a - b)
}

/** Lists the commands that can end with a code. */
export function findCommandsWith(value: number): readonly string[] {
  return Object.keys(ofCommand).filter(name => listExitCodes(name).includes(value))
}
