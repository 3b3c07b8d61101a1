import type { mutants as ports } from '../sim/mutants.js'
import { fixesTakenBack } from './fixes-taken-back.js'
import { foundByChecks } from './found-by-checks.js'
import type { Mutants } from './mutant.js'
import { placesAndConsent } from './places-and-consent.js'
import { wrongDesigns } from './wrong-designs.js'

/** Every edit of the sources that a suite is to find, by the name of the mistake. */
export const sourceMutants: Mutants = {
  ...wrongDesigns,
  ...fixesTakenBack,
  ...foundByChecks,
  ...placesAndConsent,
}

/** The mistakes that no suite may miss, whatever else it finds, each by the name under which it is made. */
export const demanded: Readonly<Record<string, keyof typeof ports | keyof typeof wrongDesigns>> = {
  'retry after a reset': 'sends again where the connection was reset',
  'retry after a status of 500 and more': 'sends again on trouble',
  'promise after sending': 'promises after sending',
  'no flush of the file': 'does not flush a version',
  'no flush of the folder': 'does not flush the folder of a version',
  'ignore the promise': 'forgets a promise when it runs again',
  'send again where the site looks clean': 'forgets a promise after a while without a sign',
  'trust any 200': 'takes every 200 for a yes',
  'follow a redirect': 'sends the body on to where a redirect leads',
  'a lease for a lock': 'lets a lock end by its time though its process lives',
  'end with 0 on a stall': 'ends with 0 where a promise never settles',
  'print a body': 'shows what a site repeats of its secrets',
}
