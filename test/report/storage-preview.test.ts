import { stripVTControlCharacters } from 'node:util'
import { buildPlanDocument } from '../../src/plan/saved/plan-document.js'
import { previewStorage } from '../../src/plan/storage-classes.js'
import { renderPlanHtml } from '../../src/report/plan-html.js'
import { formatPlanMarkdown } from '../../src/report/plan-markdown.js'
import { formatPlan, formatSection } from '../../src/report/plan-text.js'
import { buildStorageSection, storageDocument } from '../../src/report/storage-preview.js'
import { coloured, plain } from '../../src/report/terminal.js'
import { aManifest } from '../support/a-manifest.js'
import { aPlan } from '../support/a-plan.js'
import { anOrganization } from '../support/an-organization.js'
import { isAtLength } from '../support/cases.js'
import { hostileMarkup } from '../support/hostile-markup.js'
import { unprintable } from '../support/hostile-texts.js'
import { htmlOf, treeOf } from '../support/markup-tree.js'
import { listSchemaErrors } from '../support/schema-errors.js'

const asAdvised = {
  provisioner: 'ebs.csi.aws.com',
  allowVolumeExpansion: true,
  volumeBindingMode: 'WaitForFirstConsumer',
  reclaimPolicy: 'Delete',
}
const classNamed = (storageClass: string, provisioningType?: string) => ({
  size: '16Gi',
  storageClass,
  ...(provisioningType !== undefined && { provisioningType }),
})
const { volumes } = anOrganization()
const storing = (changes: Partial<typeof volumes>) =>
  aManifest({
    organization: anOrganization({
      volumes: Object.assign(
        Object.fromEntries(Object.keys(volumes).map(component => [component, classNamed('gp3')])),
        changes,
      ) as typeof volumes,
    }),
  })

test('the storage classes as text', () => {
  const manifest = storing({
    BLOB: classNamed('gone'),
    QUEUE: classNamed('poor'),
    INDEXER: classNamed('poor'),
    SHARING: classNamed('x', 'STATIC'),
  })
  const poor = {
    name: 'poor',
    provisioner: 'ebs.csi.aws.com',
    allowVolumeExpansion: false,
    volumeBindingMode: 'Immediate',
    reclaimPolicy: 'Retain',
  }
  const section = buildStorageSection(previewStorage(manifest, [{ name: 'gp3', ...asAdvised }, poor]))
  expect(formatSection(section, plain)).toEqual([
    'Storage classes: 2 of 3 that the manifest names exist in the cluster.',
    '  + gp3   4 volumes  exists',
    '  - gone  BLOB  does not exist',
    '  ! poor  QUEUE, INDEXER  volumes cannot be expanded, volumes are provisioned before their pods are scheduled, volumes are retained after their claims are deleted',
    '  ? none  SHARING  not checked, because no class provisions them',
    '',
  ])
})

describe('the storage classes of a plan', () => {
  test('fit the schema of its document', () => {
    const storage = storageDocument(
      previewStorage(storing({ BLOB: classNamed('gone') }), [{ name: 'gp3', ...asAdvised }]),
    )
    const document = buildPlanDocument(aPlan())
    expect(listSchemaErrors('plan', { ...document, storage })).toEqual([])
    expect(listSchemaErrors('plan', { ...document, storage: { ...storage, classes: 1 } })).not.toEqual([])
    expect(listSchemaErrors('plan', { ...document, placement: {} })).not.toEqual([])
  })

  test('have the properties of each class in JSON', () => {
    const manifest = storing({ BLOB: classNamed('gone'), QUEUE: classNamed('x', 'STATIC') })
    expect(
      storageDocument(previewStorage(manifest, [{ name: 'gp3', ...asAdvised, reclaimPolicy: 'Retain' }])),
    ).toEqual({
      classes: [
        {
          name: 'gp3',
          components: [
            'RELATIONAL_PRIMARY',
            'RELATIONAL_SECONDARY',
            'IN_MEM_CACHE',
            'INDEXER',
            'SHARING',
            'REST_METRICS_API',
          ],
          exists: true,
          ...asAdvised,
          reclaimPolicy: 'Retain',
          faults: ['keeps-volumes'],
        },
        { name: 'gone', components: ['BLOB'], exists: false, faults: [] },
      ],
      others: ['QUEUE'],
    })
  })

  const available = [{ name: 'gp3', ...asAdvised }]
  const found = buildStorageSection(previewStorage(storing({}), available))
  const missing = buildStorageSection(previewStorage(storing({ BLOB: classNamed('gone') }), available))

  test('come before the counts in text', () => {
    const text = formatPlan(aPlan(), plain, { sections: [missing] })
    const lines = formatSection(missing, plain).join('\n')
    expect(text).toContain(`\n\n${lines}\n`)
    expect(text.replace(`${lines}\n`, '')).toBe(formatPlan(aPlan(), plain))
  })

  test('are a table in Markdown', () => {
    expect(formatPlanMarkdown(aPlan(), { sections: [missing] })).toContain(
      [
        '#### Storage classes: 1 of 2 that the manifest names exist in the cluster.',
        '',
        '|  | Storage class | Volumes | In the cluster |',
        '| --- | --- | --- | --- |',
        '| `+` | `gp3` | 7 volumes | exists |',
        '| `-` | `gone` | `BLOB` | does not exist |',
      ].join('\n'),
    )
  })

  test('are in the HTML page, with problems marked and described', () => {
    expect(renderPlanHtml(aPlan(), { sections: [found] })).toMatch(
      /<section class="found">\s*<h2>Storage classes<\/h2>/,
    )
    const page = renderPlanHtml(aPlan(), { sections: [missing] })
    expect(page).toMatch(/<section class="found stop">\s*<h2>Storage classes<\/h2>/)
    expect(page).toContain('<span class="unseen">not OK</span></span><span><code translate="no">gone</code>')
  })

  test('have the same text with colours', () => {
    for (const section of [found, missing]) {
      const [painted, text] = [coloured, plain].map(paint => formatSection(section, paint).join('\n'))
      expect(painted).not.toBe(text)
      expect(stripVTControlCharacters(painted ?? '')).toBe(text)
    }
  })
})

/** Names that a list of storage classes may have; others are rejected. */
const texts = hostileMarkup.filter(text => text.length > 0 && text.length < 60 && text !== 'gp3')
const plan = { ...aPlan(), actions: [], fields: [] }

const sectionsOf = (text: string) => {
  const blob = { ...volumes.BLOB, storageClass: text }
  const desired = aManifest({ organization: anOrganization({ volumes: { ...volumes, BLOB: blob } }) })
  return [
    buildStorageSection(previewStorage(desired, [])),
    buildStorageSection(previewStorage(desired, [{ name: text, ...asAdvised }])),
  ]
}

test('hostile names of classes do not change the structure', () => {
  const shapes = (text: string) => {
    const view = { sections: sectionsOf(text) }
    return [
      formatPlan(plan, plain, view).split('\n').length,
      treeOf(htmlOf(formatPlanMarkdown(plan, view))),
      treeOf(renderPlanHtml(plan, view)).elements,
    ]
  }
  const harmless = shapes('harmless')
  const raw = texts.filter(text => {
    const view = { sections: sectionsOf(text) }
    const lines = [formatPlan(plan, plain, view), formatPlanMarkdown(plan, view)].join('\n').split('\n')
    return lines.some(line => unprintable.test(line))
  })
  expect(raw).toEqual([])
  // Parsing HTML and Markdown takes long.
  for (const text of texts.filter((_, at) => isAtLength || at % 3 === 0))
    if (JSON.stringify(shapes(text)) !== JSON.stringify(harmless))
      expect({ text, shapes: shapes(text) }).toEqual({ text, shapes: harmless })
})
