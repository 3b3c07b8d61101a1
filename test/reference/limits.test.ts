import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readLimits } from '../../scripts/reference/limits.js'
import { sourcesBelow } from '../support/import-graph.js'
import { root } from '../support/manifests.js'

const limits = readLimits(root)

/** Times that do not limit attempts, pauses, polls, waits or periods. */
const otherTimes = [
  'againMs',
  'betweenMs',
  'clockSkewMs',
  'defaultLifetimeMs',
  'heartbeatMs',
  'keptMs',
  'lineMs',
  'longestTimerMs',
  'maxAgeMs',
  'maxWorkMs',
  'minuteMs',
  'notBegunMs',
  'quietMs',
  'redrawMs',
  'renewBeforeMs',
  'silenceMs',
  'siteGraceMs',
  'siteTickMs',
  'stoodStillMs',
]

test('a limit is named with the words of its kind, or is listed as another time', () => {
  const unknown = limits.flatMap(({ name, kind }) => (kind === undefined ? [name] : []))
  expect([...new Set(unknown)].toSorted()).toEqual(otherTimes)
})

test('a limit has a comment, which the page shows', () => {
  const silent = limits.filter(({ kind, meaning }) => kind !== undefined && meaning === '')
  expect(silent.map(({ file, name }) => `${file} ${name}`)).toEqual([])
  expect(limits.length).toBeGreaterThan(60)
})

test('a limit is a constant on one line', () => {
  const literal =
    /(?:sleep|delay|pause|setTimeout|AbortSignal\.timeout)\((?:[^()]*, )?\d[\d_]*[,)]|^(?:export )?const \w*(?:Ms|Tries|Polls) = [[{(]$/m
  const wrong = ['src', 'packages/fleet/src'].flatMap(folder =>
    sourcesBelow(folder).filter(file => literal.test(readFileSync(join(root, folder, file), 'utf8'))),
  )
  expect(wrong).toEqual([])
})
