import type { Found } from './course.js'
import {
  cutOff,
  halfOpen,
  restored,
  withoutDatabase,
  withoutQueue,
  wrongCertificate,
} from './courses/database.js'
import { faulty } from './courses/faulty.js'
import { besideCi, cancelled, killed, starved, stopped, submittedTwice } from './courses/workers.js'

/** The longest time until a site of a lost worker is polled by another, with the default lease. */
const touchMs = 15_000
const many = { sites: 1000, limit: 400, mostMs: 900_000 }
/**
 * For a thousand sites whose service, database and workers share one machine: without spare time, a worker would be late to
 * take over the sites of a dead one.
 */
const [service, pollInterval] = [{ stageMs: 5000 }, '5s']
const some = { sites: 200, limit: 100, mostMs: 300_000 }
const few = { sites: 40, limit: 20, mostMs: 90_000 }
const slow = { ...service, unseenMs: 1500, answerMs: [500, 3000] } as const

/** The courses, in the order in which they are played. */
export const courses: Readonly<Record<string, () => Promise<Found>>> = {
  few: () => killed({ size: few, service: { stageMs: 100 }, touchMs, leaseMs: 3000 }),
  killed: () => killed({ size: many, service, pollInterval, touchMs }),
  back: () => killed({ size: some, service: { stageMs: 500 }, touchMs, returns: true }),
  slow: () => killed({ size: many, service: slow, pollInterval, touchMs }),
  stopped: () => stopped(some, { leaseMs: 10_000, touchMs }),
  // A twentieth of a core each.
  starved: () => starved({ ...few, limit: 40, mostMs: 300_000 }, 5),
  'without-database': () => withoutDatabase(some, 3000),
  'without-queue': () => withoutQueue(some, 5000),
  restored: () => restored(some),
  'half-open': () => halfOpen(some, 5000),
  'wrong-certificate': () => wrongCertificate(some, 'of another authority'),
  'cut-off': () => cutOff(some, 5000),
  'submitted-twice': () => submittedTwice(some, touchMs),
  cancelled: () => cancelled(some),
  'beside-ci': () => besideCi({ ...few, sites: 4, mostMs: 300_000 }),
  faulty: () => faulty({ sites: 100, limit: 20, mostMs: 400_000 }),
}
