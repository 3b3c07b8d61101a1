import { demand } from '../../../src/contract/placement.js'
import { previewPlacement } from '../../../src/plan/placement/preview.js'
import { previewStorage } from '../../../src/plan/placement/storage-preview.js'
import { buildPlacementSection, buildStorageSection } from '../../../src/report/cluster-preview.js'
import { renderPlanHtml } from '../../../src/report/plan-html.js'
import { formatPlanMarkdown } from '../../../src/report/plan-markdown.js'
import { aManifest } from '../../support/a-manifest.js'
import { aPlan } from '../../support/a-plan.js'
import { anOrganization } from '../../support/an-organization.js'
import { isAtLength } from '../../support/cases.js'
import { aNode } from '../../support/cluster.js'
import { hostileMarkup } from '../../support/hostile-markup.js'
import { unprintable } from '../../support/hostile-texts.js'
import { htmlOf, treeOf } from '../../support/markup-tree.js'

/** Names that a node list may have: others are not read. */
const texts = hostileMarkup.filter(text => text.length > 0 && text.length < 60 && text !== 'gp3')
const plan = { ...aPlan(), actions: [], fields: [] }
const { volumes } = anOrganization()

const sectionsOf = (text: string) => {
  const matchExpressions = [{ key: text, operator: 'In' as const, values: [text] }]
  const policy = {
    nodeAffinity: { [demand]: { nodeSelectorTerms: [{ matchExpressions }] } },
    tolerations: [],
  }
  const nodes = [
    aNode({ name: text, labels: { [text]: `${text}!` } }),
    aNode({ name: text, labels: { [text]: text } }),
    aNode({ name: text, taints: [{ key: text, value: text, effect: 'NoSchedule' }] }),
  ]
  const desired = aManifest({
    organization: anOrganization({ volumes: { ...volumes, BLOB: { ...volumes.BLOB, storageClass: text } } }),
  })
  return [
    buildPlacementSection(previewPlacement(policy, nodes)),
    buildStorageSection(previewStorage(desired, [])),
  ]
}

test('hostile names of nodes, labels, taints and classes change no shape', () => {
  const shapes = (text: string) => {
    const view = { sections: sectionsOf(text) }
    return [treeOf(htmlOf(formatPlanMarkdown(plan, view))), treeOf(renderPlanHtml(plan, view)).elements]
  }
  const harmless = shapes('harmless')
  const raw = texts.filter(text =>
    formatPlanMarkdown(plan, { sections: sectionsOf(text) })
      .split('\n')
      .some(line => unprintable.test(line)),
  )
  expect(raw).toEqual([])
  // Reading pages and Markdown takes long.
  for (const text of texts.filter((_, at) => isAtLength || at % 3 === 0))
    if (JSON.stringify(shapes(text)) !== JSON.stringify(harmless))
      expect({ text, shapes: shapes(text) }).toEqual({ text, shapes: harmless })
})
