import { join } from 'node:path'
import { aReviewedPlan, type ReviewedPlan } from '../support/a-reviewed-plan.js'

/** A site that was created from its manifest, which was edited afterwards. */
async function anEditedSite(edit: (reviewed: ReviewedPlan) => void) {
  const reviewed = await aReviewedPlan()
  expect(await reviewed.applied()).toMatchObject({ exitCode: 0 })
  edit(reviewed)
  const manifest = join(reviewed.folder, 'production/site.yaml')
  const run = (command: string, ...options: readonly string[]) =>
    reviewed.landform(command, manifest, ...(command === 'apply' ? ['--yes'] : []), ...options)
  const edits = async () => {
    const { out } = await run('plan', '--format', 'json')
    const { immutable } = JSON.parse(out) as {
      readonly immutable: readonly Readonly<Record<string, unknown>>[]
    }
    return immutable.map(({ pointer, before, after }) => [pointer, before, after])
  }
  return { reviewed, run, edits, updates: () => reviewed.emulator().world().counters.update.accepted }
}

describe('an edit of a field that only configure sets', () => {
  const edits: readonly (readonly [string, (r: ReviewedPlan) => void, readonly unknown[]])[] = [
    [
      'of a volume',
      r => r.edit('production/site.yaml', '150Gi', '200Gi'),
      ['/spec/volumes/INDEXER/size', '150Gi', '200Gi'],
    ],
    [
      'of the profile',
      r => r.edit('production/site.yaml', 'enhanced-availability', 'standard-availability'),
      ['/spec/profile', 'enhanced-availability', 'standard-availability'],
    ],
    [
      'in a base',
      r => r.edit('base.yaml', 'admin@example.org', 'root@example.org'),
      ['/spec/administrator/email', 'admin@example.org', 'root@example.org'],
    ],
    [
      'that adds a field',
      r => r.edit('production/site.yaml', 'logLevel: null', 'logLevel: DEBUG'),
      ['/spec/logLevel', undefined, 'DEBUG'],
    ],
    [
      'of a system property, which is not in the schema',
      r =>
        r.edit(
          'production/site.yaml',
          'logLevel: null',
          'logLevel: null\n  systemProperties: { timeout: 1 }',
        ),
      ['/spec/systemProperties/timeout', undefined, 1],
    ],
    [
      'of the bytes of a license',
      r => r.edit('licenses/site.json', /$/, '\n'),
      ['/spec/license/file', expect.stringMatching(/^sha256:/), expect.stringMatching(/^sha256:/)],
    ],
  ]

  test.each(edits)('%s stops plan and apply unless its field is named', async (_what, edit, expected) => {
    const site = await anEditedSite(edit)
    expect(await site.edits()).toEqual([expected])
    const field = String(expected[0]).slice(1).replaceAll('/', '.')
    for (const command of ['plan', 'apply']) {
      const { exitCode, err } = await site.run(command)
      expect(exitCode).toBe(6)
      expect(err).toContain(`--ignore-immutable ${field}`)
    }
    for (const command of ['plan', 'apply'])
      expect(await site.run(command, '--ignore-immutable', field)).toMatchObject({ exitCode: 0 })
    expect(site.reviewed.emulator().world().counters.configure.received).toBe(1)
  })

  test('names the operation of the service for the change, and its first version', async () => {
    const site = await anEditedSite(r => {
      r.edit('production/site.yaml', '150Gi', '200Gi')
      r.edit('base.yaml', 'siteadmin', 'siteowner')
    })
    const { exitCode, out, err } = await site.run('plan')
    expect(exitCode).toBe(6)
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'Landform cannot change it; use the service operation `data/<id>/config/volumes/edit` (since 11.3, from public sources), which only enlarges',
    )
    expect(out).toContain('immutable after creation: no public operation changes it')
    expect(err.replaceAll(/\s+/g, ' ')).toContain(
      'spec.volumes.INDEXER.size (use the service operation `data/<id>/config/volumes/edit`, since 11.3)',
    )
    expect(err).toContain('perform the named operation yourself')
    expect(site.reviewed.emulator().world().counters.configure.received).toBe(1)
  })

  test('stops an update in the same plan as well', async () => {
    const site = await anEditedSite(r => {
      r.edit('production/site.yaml', '150Gi', '200Gi')
      r.edit('production/site.yaml', 'maintenance', 'upgrades')
    })
    expect(await site.run('apply')).toMatchObject({ exitCode: 6 })
    expect(site.updates()).toBe(1)
    expect(await site.run('apply', '--ignore-immutable', 'spec.volumes')).toMatchObject({ exitCode: 0 })
    expect(site.updates()).toBe(2)
  })

  test('can be saved in a plan that cannot be applied', async () => {
    const site = await anEditedSite(r => r.edit('production/site.yaml', '150Gi', '200Gi'))
    const { plan } = site.reviewed
    expect(await site.run('plan', '--out', plan)).toMatchObject({ exitCode: 6 })
    expect(await site.reviewed.landform('show', plan)).toMatchObject({ exitCode: 0 })
    // It is rejected because of the edit, not as a stale plan.
    expect(await site.reviewed.landform('apply', plan)).toMatchObject({
      exitCode: 6,
      err: expect.stringContaining('these fields are immutable'),
    })
  })

  test('is ignored by a saved plan that was made with the option', async () => {
    const site = await anEditedSite(r => {
      r.edit('production/site.yaml', '150Gi', '200Gi')
      r.edit('production/site.yaml', 'maintenance', 'upgrades')
    })
    const { plan } = site.reviewed
    const made = await site.run('plan', '--out', plan, '--ignore-immutable', 'spec.volumes')
    expect(made.exitCode).toBe(0)
    expect(await site.reviewed.applied()).toMatchObject({ exitCode: 0 })
    expect(site.updates()).toBe(2)
  })
})

test('an edit of a system property mentions an operation, and never claims that there is none', async () => {
  const site = await anEditedSite(r =>
    r.edit('production/site.yaml', 'logLevel: null', 'logLevel: null\n  systemProperties: { timeout: 1 }'),
  )
  const { exitCode, out, err } = await site.run('plan')
  expect([exitCode, out]).toEqual([
    6,
    expect.stringContaining(
      'Landform cannot change it; use the service operation `system/properties/update`',
    ),
  ])
  expect(out + err).not.toMatch(/nothing changes|no operation is shown/)
})

test('an edit is also found if the run that created the site did not wait for it', async () => {
  const reviewed = await aReviewedPlan()
  expect(await reviewed.landform('apply', reviewed.plan, '--detach')).toMatchObject({ exitCode: 3 })
  const manifest = join(reviewed.folder, 'production/site.yaml')
  expect(await reviewed.landform('status', manifest, '--wait')).toMatchObject({ exitCode: 0 })
  reviewed.edit('production/site.yaml', '150Gi', '200Gi')
  expect(await reviewed.landform('plan', manifest)).toMatchObject({ exitCode: 6 })
})

test.each<[string, (r: ReviewedPlan) => void]>([
  ['another reference for a secret', r => r.edit('base.yaml', 'LANDFORM_ADMIN_PASSWORD', 'LANDFORM_TOKEN')],
  [
    'another name for the same license',
    r => r.edit('base.yaml', 'licenses/site.json', './licenses/site.json'),
  ],
])('%s is not an edit of what the site was created with', async (_what, edit) => {
  const site = await anEditedSite(edit)
  expect(await site.edits()).toEqual([])
  expect(await site.run('apply')).toMatchObject({ exitCode: 0 })
})

test('the command that applies a saved plan is not printed for one that cannot be applied', async () => {
  const { reviewed, run } = await anEditedSite(r => r.edit('production/site.yaml', '150Gi', '200Gi'))
  const file = join(reviewed.folder, 'blocked.json')
  const { exitCode, err } = await run('plan', '--out', file)
  expect(exitCode).toBe(6)
  expect(err).toMatch(/^saved sha256:[0-9a-f]{64}, which cannot be applied: landform show /m)
  expect(err).not.toContain('landform apply')
})
