import { yamlText } from '../../manifest/yaml-text.js'
import type { CiFacts } from '../ci-facts.js'
import { applyTimeout, gitlabJobs, onDefaultBranch } from './jobs.js'

/** A pipeline for GitLab: checks and plans in merge requests, applies on the default branch, looks once a day. */
export function gitlabPipeline({ name, manifest, origin, variables }: CiFacts): string {
  return `\
# Checks the manifest in merge requests and shows the plan. On the default branch the plan of that very pipeline is applied
# once somebody starts the job. A scheduled pipeline takes up what is still under way, and fails where the site differs.
# Written by \`landform init\`, and yours to change.
stages: [validate, plan, apply]
workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: ${onDefaultBranch}
# What was applied is kept in this repository, below refs/landform/, because the disk of a runner does not last. The token
# of the job must be allowed to push: Settings > CI/CD > Job token permissions.
# The apply job reads these variables; set them in Settings > CI/CD, masked, protected, and for its environment only:
${variables.map(one => `#   ${one}\n`).join('')}\
# The license is read below the folder of the manifest: keep it in the repository, or write it before the script.
.landform:
  image: node:22
  # Of two pushes the newer counts.
  interruptible: true
  variables:
    MANIFEST: ${inert(manifest)}
    # No other site is ever called, whatever a merge request writes into the manifest.
    ORIGIN: ${inert(origin)}
  before_script:
    # Landform comes with the packages of this repository, locked by their digests: name it in package.json, from
    # wherever you get it. A plain npx would run whatever has that name in the public registry.
    - npm ci --ignore-scripts
    - export PATH="$PWD/node_modules/.bin:$PATH"
${gitlabJobs({
  environment: name,
  suffix: '',
  stages: { validate: 'validate', plan: 'plan', apply: 'apply' },
  applyRules: `\
    - if: $CI_PIPELINE_SOURCE != "schedule" && ${onDefaultBranch}
      when: manual
      allow_failure: true
`,
  timeout: applyTimeout,
})}`
}

/** Paths and even hosts may hold what GitLab would take for the name of a variable. */
function inert(text: string): string {
  return yamlText(text.replaceAll('$', () => '$$'))
}
