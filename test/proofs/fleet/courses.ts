import type { Found } from './course.js'
import { besideCi } from './courses/beside-ci.js'
import { cancelled } from './courses/cancelled.js'
import { faulty } from './courses/faulty.js'
import { cutOff, halfOpen } from './courses/half-open.js'
import { killed } from './courses/killed.js'
import { stopped } from './courses/stopped.js'
import { submittedTwice } from './courses/submitted-twice.js'
import { withoutDatabase } from './courses/without-database.js'
import { wrongCertificate } from './courses/wrong-certificate.js'

/** A course, at two lengths. */
export interface Course {
  readonly name: string
  readonly play: Readonly<Record<'short' | 'full', (() => Promise<Found>) | undefined>>
}

/** The longest that a site of a worker that is gone may be left alone, with the lease that workers have by default. */
const touchMs = 15_000
const many = { sites: 1000, limit: 400, mostMs: 900_000 }
/**
 * For a thousand sites, whose service, database and workers share one machine: how soon the sites of a dead worker are touched
 * says nothing where the one that is left has no time to spare.
 */
const [service, pollInterval] = [{ stageMs: 5000 }, '5s']
const some = { sites: 200, limit: 100, mostMs: 300_000 }
const few = { sites: 40, limit: 20, mostMs: 90_000 }
const slow = { ...service, unseenMs: 1500, answerMs: [500, 3000] } as const

/** All of them, in the order in which they are played. */
export const courses: readonly Course[] = [
  {
    name: 'killed',
    play: {
      short: () => killed({ size: few, service: { stageMs: 100 }, touchMs, leaseMs: 3000 }),
      full: () => killed({ size: many, service, pollInterval, touchMs }),
    },
  },
  {
    name: 'killed, and back',
    play: {
      short: undefined,
      full: () => killed({ size: some, service: { stageMs: 500 }, touchMs, returns: true }),
    },
  },
  {
    name: 'killed at a slow service',
    play: {
      short: undefined,
      full: () => killed({ size: many, service: slow, pollInterval, touchMs }),
    },
  },
  {
    name: 'stopped',
    play: { short: undefined, full: () => stopped(some, { leaseMs: 10_000, touchMs }) },
  },
  {
    name: 'without the database',
    play: { short: undefined, full: () => withoutDatabase(some, 3000) },
  },
  { name: 'half-open', play: { short: undefined, full: () => halfOpen(some, 5000) } },
  {
    name: 'with a wrong certificate',
    play: { short: undefined, full: () => wrongCertificate(some, 'of another authority') },
  },
  { name: 'cut off', play: { short: undefined, full: () => cutOff(some, 5000) } },
  {
    name: 'submitted twice',
    play: { short: undefined, full: () => submittedTwice(some, touchMs) },
  },
  { name: 'cancelled', play: { short: undefined, full: () => cancelled(some) } },
  {
    name: 'beside CI',
    play: { short: undefined, full: () => besideCi({ ...few, sites: 4, mostMs: 300_000 }) },
  },
  {
    name: 'faulty',
    play: { short: undefined, full: () => faulty({ sites: 100, limit: 20, mostMs: 400_000 }) },
  },
]
