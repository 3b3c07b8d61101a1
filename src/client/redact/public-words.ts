import { operations } from '../../contract/operations.js'
import { affinityKinds, tolerationEffects } from '../../contract/placement.js'
import { stageNames } from '../../contract/stages.js'
import { fold } from './folded.js'

/** Words that messages are made of, and that people put into passwords. */
const ordinaryWords = [
  'access account admin administrator answer architecture authorization backup bucket certificate changed characters',
  'cluster completed configuration configure configured connection container contains creating credential database',
  'default denied deployment digits directory disabled domain enabled endpoint enterprise error exists expired failed',
  'failure folder invalid kubernetes letter letters license memory message minimum missing namespace network object',
  'operation organization parameter password permission placement policy portal present private profile progress property',
  'provided public question region register registered request required resource resources response secret security',
  'server service services session source storage store success successfully system temporary timeout unable update',
  'upgrade upload username validate validation values version volume warning webhook without',
].flatMap(line => line.split(' '))

const documentedWords = [
  ...stageNames,
  ...operations.configure.parameters.map(({ name }) => name),
  ...Object.keys(affinityKinds),
  ...tolerationEffects,
  'nodeSelectorTerms',
  'matchExpressions',
  'podPlacementPolicy',
  'tolerations',
  'kubernetes.io/hostname',
  'topology.kubernetes.io/region',
  'node.kubernetes.io/instance-type',
]

/**
 * Returns true for a part of a text, folded, that lies in a public word: of the service document, of its messages, or of a
 * manifest beside its secrets.
 */
export function publicWords(ofManifest: readonly string[]): (part: string) => boolean {
  let folded: readonly string[] | undefined
  return part => {
    folded ??= [...ordinaryWords, ...documentedWords, ...ofManifest].flatMap(foldBothWays)
    return folded.some(word => word.includes(part))
  }
}

function foldBothWays(word: string): readonly string[] {
  const texts = fold(Buffer.from(word)).map(({ codes }) =>
    Array.from(codes, code => String.fromCodePoint(code)).join(''),
  )
  return [...new Set(texts)]
}
