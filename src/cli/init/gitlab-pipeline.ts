import { yamlText } from '../../manifest/yaml-text.js'
import type { CiFacts } from './ci-file.js'

/** A pipeline for GitLab: checks in merge requests, plans where the site may be asked, applies on the default branch. */
export function gitlabPipeline({ name, manifest, origin, variables }: CiFacts): string {
  return `\
# Checks the manifest in merge requests, shows the plan, and applies it on the default branch.
# Written by \`landform init\`, and yours to change.
stages: [validate, plan, apply]
variables:
  MANIFEST: ${yamlText(manifest)}
  # No other site is ever called, whatever a merge request writes into the manifest.
  ORIGIN: ${yamlText(origin)}
workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
default:
  image: node:22
  before_script:
    # Landform comes with the packages of this repository, locked by their digests: name it in package.json, from
    # wherever you get it. A plain npx would run whatever has that name in the public registry.
    - npm ci --ignore-scripts
    - export PATH="$PWD/node_modules/.bin:$PATH"
# No network, no secret.
validate:
  stage: validate
  script:
    - landform validate "$MANIFEST" --format text --format gitlab=landform.json
  artifacts:
    when: always
    reports:
      codequality: landform.json
# The plan reads the site: name a runner that reaches it.
plan:
  stage: plan
  # Merge requests from forks are checked, but do not reach the site.
  rules:
    - if: $CI_MERGE_REQUEST_SOURCE_PROJECT_ID != $CI_MERGE_REQUEST_PROJECT_ID
      when: never
    - when: on_success
  script:
    - landform plan "$MANIFEST" --allow-origin "$ORIGIN" --state git:origin
# Reads these variables; set them in the settings of the project, masked, protected, and for this environment only:
${variables.map(one => `#   ${one}\n`).join('')}\
# The license is read below the folder of the manifest: keep it in the repository, or write it here.
# What was applied is kept in this repository, below refs/landform/, because the disk of a runner does not last. The token
# of the job must be allowed to push: Settings > CI/CD > Job token permissions.
apply:
  stage: apply
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  # Longer than apply waits by itself.
  timeout: 3h 20m
  environment: ${yamlText(name)}
  # Never two at once, and none is broken off.
  resource_group: ${yamlText(`landform-${name}`)}
  interruptible: false
  script:
    - landform apply "$MANIFEST" --allow-origin "$ORIGIN" --state git:origin --yes --progress lines
`
}
