import { type LoadedManifest, loadManifest, notLoaded } from '../../manifest/load-manifest.js'
import { judgeBy, verdictOf } from '../../policy/judge.js'
import type { TestRun } from '../../testing/site-test.js'
import type { Ground } from './ground.js'

/** The manifest of a run, and the rules of the team that it violates. */
export interface LoadedRun {
  readonly loaded: LoadedManifest
  readonly violated: readonly string[]
}

/** Lays what a run changes over the manifest, and checks it as every manifest is. */
export function loadRun({ overlays }: TestRun, { manifest, bases, problem, policies }: Ground): LoadedRun {
  if (problem !== undefined) return { loaded: notLoaded([problem]), violated: [] }
  const violated: string[] = []
  const judge = judgeBy(policies)
  const [first = manifest, ...under] = [...overlays, manifest, ...bases]
  const loaded = loadManifest(first, under, (value, known) => {
    const rules = policies.flatMap(policy => policy.rules)
    violated.push(...rules.filter(rule => verdictOf(rule, value) === 'violation').map(({ name }) => name))
    return judge(value, known)
  })
  return { loaded, violated }
}
