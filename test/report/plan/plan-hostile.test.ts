import { type PlanFormat, planFormats } from '../../../src/cli/declarations/options.js'
import { renderPlan } from '../../../src/cli/plan/plan-output.js'
import type { Plan } from '../../../src/plan/plan.js'
import { phrase } from '../../../src/report/phrase.js'
import { formatPlanMarkdown, formatPlanOutputs } from '../../../src/report/plan-markdown.js'
import { isAtLength } from '../../support/cases.js'
import { hostileMarkup } from '../../support/hostile-markup.js'
import { planOf, plansOfAllKinds } from '../../support/hostile-plan.js'
import { unprintable } from '../../support/hostile-texts.js'
import { htmlOf, treeOf } from '../../support/markup-tree.js'

const rendered = (plan: Plan, format: PlanFormat, text: string) =>
  renderPlan(plan, format, {
    color: 'never',
    verbose: true,
    sections: [
      {
        title: 'More',
        tone: 'bad',
        lead: phrase`It is ${text}.`,
        columns: ['a', 'b'],
        rows: [{ sign: '!', cells: [phrase`${text}`, phrase`b`] }],
      },
    ],
  })

/** What a rendering is, apart from the texts of others in it. */
const shapes: Readonly<Record<PlanFormat, (document: string) => unknown>> = {
  text: document => document.split('\n').length,
  json: document => typeof JSON.parse(document),
  gitlab: document => JSON.parse(document),
  markdown: document => treeOf(htmlOf(document)),
  html: document => treeOf(document).elements,
}

test('there are more than two hundred hostile texts', () => {
  expect(hostileMarkup.length).toBeGreaterThan(200)
})

describe.each(plansOfAllKinds)('a plan with %s', (kind, plan) => {
  // Reading pages and Markdown takes long, and the first two kinds have all that there is.
  const turn = plansOfAllKinds.findIndex(([name]) => name === kind)
  const isSlow = (format: PlanFormat) => format === 'html' || format === 'markdown'
  const formats = planFormats.filter(format => turn < 2 || !isSlow(format))
  const hostile = hostileMarkup.map(text => [text, planOf(plan, text)] as const)
  // In the short form the kinds and formats take turns with the texts, where there is more of the same or reading takes long.
  const isDue = (at: number, format: PlanFormat) => {
    if (isAtLength) return true
    if (isSlow(format)) return at % 12 === turn * 2 + (format === 'html' ? 1 : 0)
    return turn < 2 || at % 3 === turn % 3
  }
  test.each(formats)(
    'as %s has nothing raw in it, no command of a runner, and the shape of a harmless one',
    format => {
      const harmless = shapes[format](rendered(planOf(plan, 'harmless'), format, 'harmless'))
      const same = JSON.stringify(harmless)
      for (const [text, made] of hostile.filter((_, at) => isDue(at, format))) {
        const document = rendered(made, format, text)
        for (const line of document.split('\n'))
          if (unprintable.test(line) || /##\w*\[|^\s*::/.test(line))
            throw new Error(`${JSON.stringify(text)} stands raw in ${JSON.stringify(line)}`)
        const shape = shapes[format](document)
        // Comparing as texts is much faster, and only a difference is worth showing.
        if (JSON.stringify(shape) !== same) expect({ text, shape }).toEqual({ text, shape: harmless })
      }
    },
  )

  test('tells a workflow nothing that is not ours', () => {
    const ours = /^(?:[a-z-]+=(?:true|false|\d+|sha256:[0-9a-f]{64})\n){8}$/
    expect(hostile.map(([, made]) => formatPlanOutputs(made, 0)).filter(told => !ours.test(told))).toEqual([])
  })

  test('begins with a comment of one line that no name can end', () => {
    const marks = hostile.map(([, made]) => formatPlanMarkdown(made).split('\n')[0])
    const ours = /^<!-- landform-plan: [\w.-]{1,120} -->$/
    expect(marks.filter(mark => !ours.test(mark ?? ''))).toEqual([])
    expect(new Set(marks).size).toBe(hostileMarkup.length)
  })
})
