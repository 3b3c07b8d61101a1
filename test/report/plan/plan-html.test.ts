import { stageNames } from '../../../src/contract/stages.js'
import type { Plan } from '../../../src/plan/plan.js'
import { renderPlanHtml } from '../../../src/report/plan-html.js'
import { plansOfAllKinds } from '../../support/hostile-plan.js'
import { treeOf } from '../../support/markup-tree.js'

describe.each(plansOfAllKinds)('the page of a plan with %s', (_kind, plan) => {
  test('has no script, loads nothing, and allows nothing but its own style', () => {
    const { elements } = treeOf(renderPlanHtml(plan))
    const names = new Set(elements.map(line => line.trim().split(' ')[0]))
    for (const name of ['script', 'img', 'link', 'iframe', 'a'])
      expect(name !== 'a' && names.has(name)).toBe(false)
    expect(elements.filter(line => /\b(?:src|on\w+|style|action|srcset)="/.test(line))).toEqual([])
    expect(elements.filter(line => line.includes('href='))).toEqual([expect.stringContaining('href="#plan"')])
    expect(renderPlanHtml(plan)).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[\w+/]{43}='; /,
    )
  })

  test('has headings in order, tables with heads, and no id twice', () => {
    const { elements } = treeOf(renderPlanHtml(plan))
    const levels = elements.flatMap(line => /^ *h(\d)/.exec(line)?.[1] ?? []).map(Number)
    expect(levels[0]).toBe(1)
    expect(levels.slice(1).every((level, at) => level > 1 && level <= (levels[at] ?? 0) + 1)).toBe(true)
    const ids = elements.flatMap(line => /\bid="([^"]*)"/.exec(line)?.[1] ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    const labels = elements.flatMap(line => /aria-labelledby="([^"]*)"/.exec(line)?.[1] ?? [])
    expect(labels.filter(label => !ids.includes(label))).toEqual([])
    const of = (name: string) => elements.filter(line => line.trim().startsWith(name)).length
    expect(of('caption')).toBe(of('table'))
  })
})

test('a creation shows the stages in their order, between configure and update', () => {
  const [, plan] = plansOfAllKinds.find(([kind]) => kind === 'a creation') ?? []
  const page = renderPlanHtml(plan as Plan)
  const places = ['>configure<', ...stageNames.map(name => `<li>${name}</li>`), '>update<'].map(text =>
    page.indexOf(text),
  )
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(places[0]).toBeGreaterThan(0)
})
