import { describeRejections } from '../../diagnostics/node-rejection.js'
import type { NodeVerdict } from '../../plan/placement/node-verdict.js'
import { type PlacementPreview, refusingNodes, takingNodes } from '../../plan/placement/preview.js'
import { joined, listed, type Phrase, phrase, words } from '../phrase.js'
import type { Section, SectionRow } from '../section.js'

/** More nodes than that nobody reads; the JSON document has them all. */
const mostNodes = 10
const mostReasons = 2
const mostCharacters = 240

/** Which nodes take upgrade pods, and why the others do not: the nearest first. */
export function placementSection(preview: PlacementPreview): Section {
  const taking = takingNodes(preview)
  return {
    title: 'Upgrade pods',
    tone: taking.length === 0 ? 'bad' : 'good',
    lead: leadOf(preview, taking.length),
    columns: ['Node', 'Upgrade pods'],
    rows: [...takingRows(taking), ...refusingRows(refusingNodes(preview))],
  }
}

function leadOf({ policy, verdicts: { length } }: PlacementPreview, taking: number): Phrase {
  return policy === 'none'
    ? phrase`${taking} of ${length} nodes take pods without tolerations; the manifest has no placement policy.`
    : phrase`${taking} of ${length} nodes satisfy the policy.`
}

/** Nodes of which the same is to be said share a row, those that are preferred and ready first. */
function takingRows(taking: readonly NodeVerdict[]): readonly SectionRow[] {
  return [true, undefined, false].flatMap(preferred =>
    [true, false].flatMap((ready): readonly SectionRow[] => {
      const nodes = taking.filter(one => one.preferred === preferred && (one.ready !== false) === ready)
      if (nodes.length === 0) return []
      const names = listed(
        nodes.map(({ node }) => node),
        mostNodes,
      )
      const said = words(`${takes(nodes.length, preferred)}${ready ? '' : unready}`)
      return [{ sign: ready ? '+' : '!', cells: [names, said] }]
    }),
  )
}

/** A preference is never a reason to refuse. */
function takes(count: number, preferred: boolean | undefined): string {
  const take = count === 1 ? 'takes them' : 'take them'
  if (preferred === undefined) return take
  return preferred ? `${take}, preferred` : `${take}, though not preferred`
}

/** The scheduler looks at taints, and a node that is not ready gets one soon. */
const unready = '; not ready now, though without the taint for it'

function refusingRows(refusing: readonly NodeVerdict[]): readonly SectionRow[] {
  // One more row says nothing shorter than the node itself.
  const shown = refusing.length <= mostNodes + 1 ? refusing : refusing.slice(0, mostNodes)
  const rest = refusing.length - shown.length
  const rows = shown.map(one => ({ sign: '-', cells: [phrase`${one.node}`, whyNot(one)] }) as const)
  const more = { sign: '-', cells: [phrase`and ${rest} more`, words('--format json has them all')] } as const
  return rest === 0 ? rows : [...rows, more]
}

function whyNot(verdict: NodeVerdict): Phrase {
  const reasons = describeRejections(verdict.refusals)
  const rest = reasons.length - mostReasons
  const shown = reasons.slice(0, mostReasons).map(reason => phrase`${shortened(reason)}`)
  return phrase`${joined(shown, '; ')}${words(rest > 0 ? `; and ${rest} more` : '')}`
}

function shortened(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text
}
