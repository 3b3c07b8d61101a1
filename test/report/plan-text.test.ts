import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import type { Situation } from '../../src/plan/planner.js'
import { emptyRecord } from '../../src/plan/record.js'
import { coloured, plain } from '../../src/report/paint.js'
import { formatCounts, formatPlan } from '../../src/report/plan-text.js'
import { aManifest, aPolicy } from '../support/a-manifest.js'
import { aPlan, inProgress, notConfigured, ready } from '../support/a-plan.js'
import { anOrganization } from '../support/an-organization.js'
import { hostileTexts, unprintable } from '../support/hostile-texts.js'

const desired = aManifest({ policy: aPolicy() })
const record = {
  ...emptyRecord('https://gis.example.org/arcgis/admin'),
  policy: { appliedAt: '2026-03-04T05:06:07.089Z', value: aPolicy('old') },
}

describe('a plan for people', () => {
  test.each<[string, Partial<Situation>, string]>([
    ['a creation', { desired }, 'Plan: 1 to create, 1 to update, 0 to attach, 0 unchanged.'],
    ['an attachment', { observed: inProgress }, 'Plan: 0 to create, 0 to update, 1 to attach, 0 unchanged.'],
    ['nothing to do', { observed: ready }, 'Plan: 0 to create, 0 to update, 0 to attach, 1 unchanged.'],
  ])('ends with its counts: %s', (_what, changes, counts) => {
    const made = aPlan(changes)
    expect(formatCounts(made)).toBe(counts)
    expect(formatPlan(made, plain).trimEnd().split('\n').at(-1)).toBe(counts)
  })

  test('says that a creation cannot be undone', () => {
    expect(formatPlan(aPlan(), plain)).toMatch(/configure.*cannot be undone/)
  })

  test('says that there are no changes only where there are none', () => {
    expect(formatPlan(aPlan({ observed: ready }), plain)).toMatch(/^No changes/m)
    expect(formatPlan(aPlan({ observed: ready, desired }), plain)).not.toMatch(/No changes/)
    expect(formatPlan(aPlan({ observed: inProgress }), plain)).not.toMatch(/No changes/)
  })

  test('shows what was and what will be', () => {
    const text = formatPlan(aPlan({ observed: ready, desired, record }), plain)
    expect(text).toMatch(/~ tolerations\.0\.key +old -> dedicated +site\.yaml:7$/m)
  })

  test('shows where secrets come from', () => {
    expect(formatPlan(aPlan(), plain)).toMatch(/password.*\(secret from LANDFORM_ADMIN_PASSWORD\)/)
  })

  test('shows every field once', () => {
    const text = formatPlan(aPlan(), plain)
    for (const component of Object.keys(anOrganization().volumes))
      expect(text.split(component).length).toBe(2)
    expect(text).toContain('site.yaml:')
  })

  test('says the same with colours', () => {
    const made = aPlan({ desired })
    const text = formatPlan(made, coloured)
    expect(text).not.toBe(stripVTControlCharacters(text))
    expect(stripVTControlCharacters(text)).toBe(formatPlan(made, plain))
  })
})

describe('a plan of hostile texts', () => {
  const linesOf = (changes: Partial<Situation>) => formatPlan(aPlan(changes), plain).split('\n')

  test.each(hostileTexts)('prints nothing raw that the service said: %s', (_what, hostile) => {
    const observed = { ...notConfigured, version: `11.2.0${hostile}` }
    const lines = linesOf({ observed, url: 'https://gis.example.org' })
    expect(lines.length).toBe(linesOf({}).length)
    for (const line of lines) expect(line).not.toMatch(unprintable)
  })

  test.each(hostileTexts)('prints nothing raw of the manifest: %s', (_what, hostile) => {
    const nasty = `v${hostile}v`
    const organization = anOrganization({
      folders: [nasty],
      logLevel: nasty,
      profile: 'development',
      license: { file: nasty },
      // Two members of one line share a row, and their names stand in it.
      systemProperties: { [`${nasty}1`]: nasty, [`${nasty}2`]: { [nasty]: [nasty, { [nasty]: nasty }] } },
      extra: { [nasty]: nasty, [`${nasty}2`]: { env: nasty }, [`${nasty}3`]: { file: nasty, x: nasty } },
    })
    const file = `f${hostile}f`
    const hostileManifest = aManifest({
      name: nasty,
      organization,
      place: () => ({ file, start: { line: 1, column: 1 }, end: { line: 1, column: 2 } }),
    })
    const lines = linesOf({ desired: hostileManifest })
    for (const line of lines) expect(line).not.toMatch(unprintable)
    expect(lines.length).toBe(linesOf({ desired: { ...hostileManifest, name: 'plain' } }).length)
  })
})
