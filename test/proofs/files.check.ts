import { type CheckRun, declareCheck } from './check.js'
import { type Attack, attacks } from './files/attacks.js'
import { type Place, places } from './files/places.js'
import { raced } from './files/race.js'
import { canTrace, carelessReader, complaintsOf, meet } from './files/try-attack.js'

/**
 * Lets commands meet paths that try to lead out of the folder of a manifest, under strace where it may be used. Readers that
 * follow every path are the control.
 */
export const check = declareCheck({
  name: 'files',
  shows: "No path in a user's file makes a command read outside the allowed folder.",
  counts: { attacks: [60, 60], meetings: [60, 800], 'controls found': [30, 30], races: [2000, 40_000] },
  planted: 'controls found',
  short: 'ci',
  gate: 'change',
  figures: {
    /** At how many places each attack is tried. */
    places: [1, places.length],
    /** How often a file is read while somebody swaps it. */
    races: [1000, 20_000],
    /** Only attacks with this in their names. */
    only: ['', ''],
  },
  async run(run) {
    const { only, places: maxPlaces, races } = run.figures
    const isTraced = canTrace()
    if (!isTraced)
      run.skip('strace cannot be used here: what commands open was not checked', 'controls found')
    const chosen = attacks.filter(({ name }) => name.includes(only))
    const openedAt = usuallyOpened(run, isTraced)
    if (only === '') for (const place of places) openedAt(place)
    checkReaders(run, { chosen, maxPlaces, isTraced, openedAt })
    if (isTraced) checkControl(run, chosen)
    if (only === '') checkRaces(run, races)
  },
})

/** Finds what the command of a place opens whatever is named there. */
type OpenedAt = (place: Place) => ReadonlySet<string>

interface Readers {
  readonly chosen: readonly Attack[]
  readonly maxPlaces: number
  readonly isTraced: boolean
  readonly openedAt: OpenedAt
}

const harmless: Attack = { name: 'a good file', path: () => 'ok', ends: 'read' }
const absent: Attack = { name: 'no file', path: () => 'none', ends: 'missing' }

/** Finds, once for each place, what its command opens whatever is named, so that an attack shows by what it opens besides. */
function usuallyOpened(run: CheckRun, isTraced: boolean): OpenedAt {
  const opened = new Map<Place, ReadonlySet<string>>()
  return place => {
    const known = opened.get(place)
    if (known !== undefined) return known
    const good = meet(place, harmless, { isTraced })
    const none = meet(place, absent, { isTraced })
    const always = new Set([...good.outside, ...none.outside])
    opened.set(place, always)
    run.complain(`${place.name}, ${harmless.name}`, complaintsOf(place, harmless, good, always))
    run.complain(`${place.name}, ${absent.name}`, complaintsOf(place, absent, none, always))
    if (isTraced && !good.inside.includes('ok'))
      run.violation(`${place.name}: nobody saw that a good file was opened`)
    return always
  }
}

/** Tries each attack at some places, or at all. */
function checkReaders(run: CheckRun, { chosen, maxPlaces, isTraced, openedAt }: Readers): void {
  for (const [at, attack] of chosen.entries()) {
    run.count('attacks')
    for (let turn = 0; turn < maxPlaces; turn += 1) {
      const place = placeAt(run.seed + at + turn)
      const met = meet(place, attack, { isTraced })
      run.count('meetings')
      run.complain(`${place.name}, ${attack.name}`, complaintsOf(place, attack, met, openedAt(place)))
    }
  }
  run.say(`${chosen.length} attacks, each at ${maxPlaces} of ${places.length} places`)
}

function placeAt(number: number): Place {
  const place = places[number % places.length]
  if (place === undefined) throw new Error(`there is no place ${number}`)
  return place
}

/** Has a reader that follows every path open what lies outside, which the trace must show. */
function checkControl(run: CheckRun, chosen: readonly Attack[]): void {
  const place = placeAt(0)
  const outsideOf = (attack: Attack) =>
    meet(place, attack, { isTraced: true, reader: carelessReader }).outside
  const usual = new Set(outsideOf(harmless))
  const found = chosen.filter(
    attack => attack.ends !== 'read' && outsideOf(attack).some(file => !usual.has(file)),
  )
  run.count('controls found', found.length)
}

/** Makes links out of files and folders while they are read. */
function checkRaces(run: CheckRun, races: number): void {
  for (const swapped of ['file', 'folder'] as const) {
    const naive = raced('naive', swapped, 0)
    if (!((naive['outside'] ?? 0) > 0))
      run.violation(`${swapped}: a naive reader never read what lies outside, so this race shows nothing`)
    const { inside = 0, outside = 0, ...others } = raced('jailed', swapped, races)
    const jailed = { inside, outside, ...others }
    run.count('races', sum(jailed))
    if (outside > 0) run.violation(`${swapped}: what lies outside was read ${outside} times`)
    if (inside === 0) run.violation(`${swapped}: the file inside was never read`)
    run.say(
      `a ${swapped} that becomes a link: ${JSON.stringify(jailed)}; a naive reader: was led out after ${sum(naive)}`,
    )
  }
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((all, one) => all + one, 0)
}
