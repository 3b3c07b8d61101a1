import { formatYamlText } from '../../manifest/yaml-text.js'

/** The names and settings of the jobs of one site; in a component these are inputs. */
export interface GitlabJobOptions {
  readonly environment: string
  /** Distinguishes the jobs of this site from those of others in the same pipeline. */
  readonly suffix: string
  readonly stages: { readonly validate: string; readonly plan: string; readonly apply: string }
  /** Of the apply job, as the items of `rules`. */
  readonly applyRules: string
  readonly timeout: string
}

/** The one branch that is applied. */
export const onDefaultBranch = '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'
const requested = '$CI_PIPELINE_SOURCE == "merge_request_event"'
const nightly = `$CI_PIPELINE_SOURCE == "schedule" && ${onDefaultBranch}`

/** Longer than the default wait of apply. */
export const applyTimeout = '3h 20m'

/** Builds the jobs: check, plan, apply exactly the plan of the pipeline, and compare in scheduled pipelines. */
export function buildGitlabJobs(words: GitlabJobOptions): string {
  const { environment, suffix, stages, applyRules } = words
  const job = (name: string) => formatYamlText(`${name}${suffix}`)
  const site = '--allow-origin "$ORIGIN"'
  return `\
# No network, no secret.
${job('validate')}:
  extends: ${job('.landform')}
  stage: ${formatYamlText(stages.validate)}
  rules:
    - if: ${requested}
    - if: ${onDefaultBranch}
  script:
    - landform validate "$MANIFEST" --format text --format gitlab=landform.json
  artifacts:
    when: always
    reports:
      codequality: landform.json
# The plan reads the site: name a runner that reaches it.
${job('plan')}:
  extends: ${job('.landform')}
  stage: ${formatYamlText(stages.plan)}
  needs: [${JSON.stringify(`validate${suffix}`)}]
  # Merge requests from forks are checked, but do not reach the site.
  rules:
    - if: $CI_MERGE_REQUEST_SOURCE_PROJECT_ID != $CI_MERGE_REQUEST_PROJECT_ID
      when: never
    - if: $CI_PIPELINE_SOURCE == "schedule"
      when: never
    - if: ${requested}
    - if: ${onDefaultBranch}
  script:
    - >-
      landform plan "$MANIFEST" ${site} --expires 168h --out plan.json
      --format text --format gitlab=counts.json --format html=plan.html --format markdown=plan.md
  artifacts:
    when: always
    expire_in: 1 week
    expose_as: Landform plan
    paths: [plan.html, plan.md, plan.json]
    reports:
      terraform: counts.json
# Applies exactly the plan of this pipeline. Review it first: in the log, or in the artifacts of the plan.
${job('apply')}:
  extends: ${job('.landform')}
  stage: ${formatYamlText(stages.apply)}
  needs: [${JSON.stringify(`plan${suffix}`)}]
  rules:
${applyRules}\
  # Longer than the default wait of apply. After a timeout (exit code 3), the next scheduled pipeline resumes it.
  timeout: ${formatYamlText(words.timeout)}
  environment:
    name: ${formatYamlText(environment)}
  # Never two at once, and none is cancelled.
  resource_group: ${formatYamlText(`landform-${environment}`)}
  interruptible: false
  script:
    - landform apply plan.json --manifest "$MANIFEST" ${site} --yes --progress lines
# Resumes a configuration in progress, which was reviewed before it started, and starts nothing.
${job('resume')}:
  extends: ${job('apply')}
  needs: [${JSON.stringify(`validate${suffix}`)}]
  rules:
    - if: ${nightly}
  environment:
    name: ${formatYamlText(environment)}
    action: access
  script:
    - landform plan "$MANIFEST" ${site} --out plan.json
    - resume=$(node -p 'JSON.parse(fs.readFileSync("plan.json", "utf8")).summary.resume')
    - if [ "$resume" = 0 ]; then echo 'Nothing is in progress.'; exit 0; fi
    - landform apply plan.json --manifest "$MANIFEST" ${site} --yes --progress lines
# Fails if the site differs (2), so that the owner of the schedule gets a mail; with 3 and 6 there is nothing to compare yet.
${job('drift')}:
  extends: ${job('.landform')}
  stage: ${formatYamlText(stages.plan)}
  needs: [${JSON.stringify(`validate${suffix}`)}]
  rules:
    - if: ${nightly}
  allow_failure:
    exit_codes: [3, 6]
  script:
    - landform drift "$MANIFEST" ${site} --format text --format markdown=drift.md
  artifacts:
    when: always
    expire_in: 1 week
    paths: [drift.md]
`
}
