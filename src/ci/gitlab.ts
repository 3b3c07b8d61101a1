import { formatYamlText } from '../manifest/yaml-text.js'
import { inputPatterns, lockTimeout } from './ci-facts.js'
import { buildCiFile, buildSiteTable, type CiFile, type SiteList } from './ci-file.js'

const readHead =
  '# Every job that reads a site needs these, also in merge requests: for all environments, not protected.'
const applyHead = '# Only apply and resume need these: protected, and limited to the environment of the site.'

/** Escapes variables of GitLab in paths and hosts. */
function escapeVariables(text: string): string {
  return text.replaceAll('$', () => '$$')
}

const tableIndent = '    '
const table = buildSiteTable(tableIndent, escapeVariables)
const names: SiteList = { head: '      - SITE:', prefix: '          - ', lines: ({ name }) => [name] }

/** The only branch from which plans are applied. */
const onDefaultBranch = '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'
const requested = '$CI_PIPELINE_SOURCE == "merge_request_event"'
const nightly = `$CI_PIPELINE_SOURCE == "schedule" && ${onDefaultBranch}`

/** Longer than apply waits for the lock and, by default, for the site. */
const applyTimeout = '3h 40m'

/** The names and settings of jobs; in a component these are inputs. */
interface GitlabJobOptions {
  /** Distinguishes the jobs of this component from those of others in the pipeline. */
  readonly suffix: string
  readonly image: string
  readonly install: string
  /** Further settings of each job, as lines. */
  readonly more: string
  readonly stages: { readonly validate: string; readonly plan: string; readonly apply: string }
  /** The last rules of the apply job, for a pipeline of the default branch. */
  readonly applyRules: string
  readonly timeout: string
}

/** Builds the jobs: check, plan, apply exactly the plans of the pipeline, and compare in scheduled pipelines. */
function buildGitlabJobs({ suffix, stages, ...words }: GitlabJobOptions): string {
  const job = (name: string) => (suffix === '' ? name : `"${name}${suffix}"`)
  const apply = `--manifest "$MANIFEST" --yes --progress lines --lock-timeout ${lockTimeout}`
  return `\
# The files that a plan can depend on.
${job('.inputs')}: &inputs
${inputPatterns.map(one => `  - '${one}'\n`).join('')}\
${job('.landform')}:
  image: ${words.image}
${words.more}\
  # The pipeline of a newer push cancels this job.
  interruptible: true
  # Scripts get names and paths as variables only, so that none is run as a command.
  variables:
    # One line per site: its name, its manifest and its origin. The environment of a site has the same name. Other origins
    # are never called, whatever a merge request changes in a manifest.
${table.head}
  before_script:
    # Add Landform to package.json: npm ci verifies it against the digest in the lock file. A plain \`npx landform\` would
    # run whatever package has this name in the public registry.
    - ${words.install}
    - export PATH="$PWD/node_modules/.bin:$PATH"
    - export LANDFORM_ALLOWED_ORIGINS=$(echo "$SITES" | awk '{ printf "%s,", $3 }')
    - MANIFESTS=$(echo "$SITES" | awk '{ print $2 }')
    # For jobs with SITE, which are about one site.
    - MANIFEST=$(echo "$SITES" | awk -v site="$SITE" '$1 == site { print $2 }')
# One job for each site.
${job('.site')}:
  extends: ${job('.landform')}
  parallel:
    matrix:
${names.head}
# Needs no network and no secrets.
${job('validate')}:
  extends: ${job('.landform')}
  stage: ${formatYamlText(stages.validate)}
  rules:
    - if: ${requested}
    - if: ${onDefaultBranch}
  script:
    - landform validate $MANIFESTS --format text --format gitlab=landform.json
  artifacts:
    when: always
    reports:
      codequality: landform.json
# Planning reads the sites: choose a runner that reaches them. Runs beside validate. If a manifest is invalid, this job fails
# too, and marks its earlier comment as outdated.
${job('plan')}:
  extends: ${job('.landform')}
  stage: ${formatYamlText(stages.plan)}
  needs: []
  # Merge requests from forks are only validated. If a merge request changes no input, there are no plans: this job only
  # updates an earlier comment.
  rules:
    - if: $CI_MERGE_REQUEST_SOURCE_PROJECT_ID != $CI_MERGE_REQUEST_PROJECT_ID
      when: never
    - if: $CI_PIPELINE_SOURCE == "schedule"
      when: never
    - if: ${requested}
      changes: *inputs
    - if: ${requested}
      variables:
        UNCHANGED: 'true'
    - if: ${onDefaultBranch}
      changes: *inputs
  script:
    - if [ -n "$UNCHANGED" ]; then echo 'No file of a site changed.'; exit 0; fi
    - code=0
    - landform plan $MANIFESTS --concurrency 4 --expires 168h --out plans || code=$?
    - >-
      for plan in plans/*.plan.json; do if [ -e "$plan" ]; then
      landform show "$plan" --format gitlab="\${plan%.plan.json}.counts.json" --format html="\${plan%.plan.json}.html";
      fi; done
    - exit "$code"
  # If GITLAB_TOKEN is set, one comment on the merge request shows the plans. If planning failed, marks an earlier comment
  # as outdated.
  after_script:
    - export PATH="$PWD/node_modules/.bin:$PATH"
    - if [ -n "$UNCHANGED" ]; then plans=; else plans=plans; fi
    - manifests=$(echo "$SITES" | awk '{ print "--manifest", $2 }')
    - if [ -n "$GITLAB_TOKEN" ]; then landform comment $plans $manifests; fi
  artifacts:
    when: always
    expire_in: 1 week
    expose_as: Landform plans
    paths: [plans/]
    reports:
      terraform: plans/*.counts.json
# Applies exactly the plan of this pipeline. Review it first, in the log or the artifacts of the job plan.
${job('apply')}:
  extends: ${job('.site')}
  stage: ${formatYamlText(stages.apply)}
  needs: [${JSON.stringify(`plan${suffix}`)}]
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule" || $CI_COMMIT_BRANCH != $CI_DEFAULT_BRANCH
      when: never
${words.applyRules}\
  # Longer than apply waits for the lock of a runner that died, and for the site. After a timeout (exit code 3), the next
  # scheduled pipeline resumes the configuration.
  timeout: ${formatYamlText(words.timeout)}
  # The environment has the name of the site and holds its variables; it may also limit who can start the job.
  environment:
    name: $SITE
  # One job at a time for each site, and none is cancelled.
  resource_group: landform-$SITE
  interruptible: false
  # The license is read below the folder of the manifest: commit it, or write it there in this script.
  script:
    - landform apply "plans/$SITE.plan.json" ${apply}
# Resumes a configuration in progress, which was reviewed before it started. Does not start a new one.
${job('resume')}:
  extends: ${job('apply')}
  needs: [${JSON.stringify(`validate${suffix}`)}]
  rules:
    - if: ${nightly}
  environment:
    name: $SITE
    action: access
  script:
    - landform plan "$MANIFEST" --out plan.json
    - resume=$(node -p 'JSON.parse(fs.readFileSync("plan.json", "utf8")).summary.resume')
    - if [ "$resume" = 0 ]; then echo 'Nothing is in progress.'; exit 0; fi
    - landform apply plan.json ${apply}
# Fails if the site differs (exit code 2), so that GitLab notifies the owner of the schedule. With 3 and 6, there is nothing
# to compare yet.
${job('drift')}:
  extends: ${job('.site')}
  stage: ${formatYamlText(stages.plan)}
  needs: [${JSON.stringify(`validate${suffix}`)}]
  rules:
    - if: ${nightly}
  allow_failure:
    exit_codes: [3, 6]
  script:
    - landform drift "$MANIFEST" --format text --format markdown=drift.md
  artifacts:
    when: always
    expire_in: 1 week
    paths: [drift.md]
`
}

/** The pipeline for GitLab: checks and plans in merge requests, applies on the default branch, compares once a day. */
export const gitlabPipeline: CiFile = {
  product: 'GitLab CI',
  path: '.gitlab-ci.yml',
  template: `\
# In merge requests, checks the manifests and shows the plans. On the default branch, applies the plan of the same pipeline
# once its job is started by hand. A scheduled pipeline resumes configurations in progress, and fails if a site differs.
# Generated by \`landform init\`; edit it as you like. Another \`landform init --ci gitlab\` adds its site to this file.
stages: [validate, plan, apply]
workflow:
  rules:
    - if: ${requested}
    - if: ${onDefaultBranch}
# State is kept in refs/landform/ of this repository, because the disk of a runner is temporary. Allow the job token to
# push: Settings > CI/CD > Job token permissions.
# Set these variables in Settings > CI/CD > Variables, masked.
${readHead}
${applyHead}
${buildGitlabJobs({
  suffix: '',
  image: 'node:22',
  install: 'npm ci --ignore-scripts',
  more: '',
  stages: { validate: 'validate', plan: 'plan', apply: 'apply' },
  applyRules: `\
    - when: manual
      allow_failure: true
      changes: *inputs
`,
  timeout: applyTimeout,
})}`,
  lists: [
    table,
    names,
    { head: '.inputs: &inputs', prefix: '  - ', lines: ({ files }) => files.map(formatYamlText) },
    { head: readHead, prefix: '#   ', lines: ({ readVariables }) => readVariables },
    {
      head: applyHead,
      prefix: '#   ',
      lines: ({ variables, readVariables }) => variables.filter(one => !readVariables.includes(one)),
    },
  ],
}

const input = (name: string) => `$[[ inputs.${name} ]]`

/** Builds the pipeline as a component, for one site; several can be included side by side. */
export function gitlabComponent(): string {
  const template = `\
# Generated by \`npm run generate\` from src/ci/gitlab.ts. Do not edit.
spec:
  inputs:
    origin:
      description: The only origin that may be called, whatever a merge request changes in the manifest
      regex: ^https?://[^/\\s]+$
    manifest:
      description: Path of the manifest from the root of the repository, without spaces
      default: site.yaml
      regex: ^\\S+$
    environment:
      description: The name in the manifest; the environment with the secrets has the same name, and the jobs end with it
      default: production
    image:
      description: Image of the jobs, with Node.js and git
      default: node:22
    install:
      description: Command that installs Landform; by default npm ci, which verifies the digests in the lock file
      default: npm ci --ignore-scripts
    tags:
      description: Tags of runners that reach the site
      type: array
      default: []
    apply:
      description: When apply starts, by hand (manual) or right after the plan, without a review (on_success)
      options: [manual, on_success]
      default: manual
    timeout:
      description: Time limit of the apply job; longer than apply waits for the lock (20 minutes) and for the site (3 hours)
      default: ${applyTimeout}
    validate-stage:
      description: Stage of the validate job
      default: test
    plan-stage:
      description: Stage of the plan and drift jobs
      default: test
    apply-stage:
      description: Stage of the apply job
      default: deploy
---
${buildGitlabJobs({
  suffix: `-${input('environment')}`,
  image: input('image'),
  install: input('install'),
  more: `  tags: ${input('tags')}\n`,
  stages: {
    validate: input('validate-stage'),
    plan: input('plan-stage'),
    apply: input('apply-stage'),
  },
  applyRules: `\
    - if: '"${input('apply')}" == "on_success"'
      changes: *inputs
    - when: manual
      allow_failure: true
      changes: *inputs
`,
  timeout: input('timeout'),
})}`
  const inputs = {
    name: input('environment'),
    manifest: input('manifest'),
    origin: input('origin'),
    variables: [],
    readVariables: [],
    files: [],
    azureState: false,
  }
  return buildCiFile({ template, lists: [buildSiteTable(tableIndent, one => one), names] }, [inputs])
}
