import { formatYamlText } from '../manifest/yaml-text.js'
import { lockTimeout } from './ci-facts.js'
import { buildSiteTable, type CiFile, type SiteList } from './ci-file.js'

/** The indentation of the steps of a job, and of a deployment. */
const [ofJob, ofDeployment] = [10, 20]
const readComment = '# The credentials for reading the sites, from secret variables of the pipeline.'
const applyComment = '# All variables that the manifests name, from secret variables of the pipeline.'
const connectionHead =
  '  # For state in azblob: the service connection that signs in, with workload identity federation.'

/** Lists secret variables after a comment in the `env` of a step, because a script gets no other secrets. */
function mapSecrets(comment: string, steps: number, which: 'variables' | 'readVariables'): SiteList {
  const prefix = ' '.repeat(steps + 4)
  return { head: `${prefix}${comment}`, prefix, lines: facts => facts[which].map(one => `${one}: $(${one})`) }
}

/** Escapes template expressions of Azure Pipelines in paths and hosts. */
function escapeExpressions(text: string): string {
  return text.replaceAll(/\$\{\{/g, () => `\${{ '\${{' }}`)
}

const table = buildSiteTable('  ', escapeExpressions)
const names: SiteList = {
  head: '    default:',
  prefix: '      - ',
  lines: ({ name }) => [formatYamlText(name)],
}

/** The steps that install Landform and read the table of sites. */
const install = `\
- task: UseNode@1
  inputs:
    version: 22.x
# Add Landform to package.json: npm ci verifies it against the digest in the lock file. A plain npx would
# run whatever package has this name in the public registry.
- bash: |
    set -e
    npm ci --ignore-scripts
    echo "##vso[task.prependpath]$PWD/node_modules/.bin"
    echo "##vso[task.setvariable variable=MANIFESTS]$(echo "$SITES" | awk '{ printf "%s ", $2 }')"
    echo "##vso[task.setvariable variable=LANDFORM_ALLOWED_ORIGINS]$(echo "$SITES" | awk '{ printf "%s,", $3 }')"
  displayName: Install Landform
`

/** The first steps of a job that reads or keeps state. */
const setUp = `\
# Keeps its credentials, which \`state: git:origin\` uses.
- checkout: self
  persistCredentials: true
- \${{ if ne(variables.AZURE_CONNECTION, '') }}:
    - task: AzureCLI@2
      displayName: Pass the service connection to the next steps
      inputs:
        azureSubscription: \${{ variables.AZURE_CONNECTION }}
        scriptType: bash
        scriptLocation: inlineScript
        inlineScript: |
          for name in SERVICE_CONNECTION_ID CLIENT_ID TENANT_ID; do
            variable=AZURESUBSCRIPTION_$name
            echo "##vso[task.setvariable variable=$variable]\${!variable}"
          done
${install}`

/** The first lines of a script with secrets. They unset missing variables, whose value would be the text `$(NAME)`. */
const begin = `\
    set -e
    # Azure DevOps passes the text \`$(NAME)\` for a variable that does not exist.
    for name in $(env | sed -nE 's/^([A-Za-z0-9_]+)=[$]\\(\\1\\)$/\\1/p'); do unset "$name"; done
`

/** Indents the lines of steps. */
function indent(columns: number, steps: string): string {
  return steps.replaceAll(/^(?=.)/gm, ' '.repeat(columns))
}

const accessToken = 'SYSTEM_ACCESSTOKEN: $(System.AccessToken)'

/** Plans all sites, attaches the report to the run, and outputs the names of the sites to apply. */
const planSteps = `\
${setUp}\
- bash: |
${begin}\
    code=0
    landform plan $MANIFESTS --concurrency 4 --expires 168h --out plans \\
      --format text --format markdown=plan.md || code=$?
    if [ -e plan.md ]; then echo "##vso[task.uploadsummary]$PWD/plan.md"; fi
    if [ "$code" != 0 ]; then exit "$code"; fi
    for plan in plans/*.plan.json; do landform show "$plan" --format html="\${plan%.plan.json}.html"; done
    # Scheduled runs only resume configurations in progress, which were reviewed before they started.
    apply=,
    for site in $(echo "$SITES" | awk '{ print $1 }'); do
      steps=$(node -p '
        const { create, update, resume } = JSON.parse(fs.readFileSync(process.argv[1], "utf8")).summary;
        process.env.BUILD_REASON === "Schedule" ? resume : create + update + resume' "plans/$site.plan.json")
      if [ "$steps" != 0 ]; then apply+="$site,"; fi
    done
    echo "##vso[task.setvariable variable=apply;isOutput=true]$apply"
  name: plan
  displayName: Plan
  env:
    ${accessToken}
    ${readComment}
- publish: plans
  artifact: plans
  displayName: Publish the plans
`

const applySteps = `\
${setUp}\
- download: current
  artifact: plans
# The license is read below the folder of the manifest: commit it, or write it there in this step. If
# the wait times out (exit code 3), the next scheduled run resumes the configuration. --lock-timeout
# outlasts the lock of an agent that died.
- bash: |
${begin}\
    manifest=$(echo "$SITES" | awk -v site="$SITE" '$1 == site { print $2 }')
    landform apply "$PIPELINE_WORKSPACE/plans/$SITE.plan.json" --manifest "$manifest" --yes --progress lines \\
      --lock-timeout ${lockTimeout}
  displayName: Apply
  env:
    ${accessToken}
    ${applyComment}
`

const driftSteps = `\
${setUp}\
# With exit codes 3 and 6, there is nothing to compare yet. A difference (2) fails the run.
- bash: |
${begin}\
    code=0
    landform drift $MANIFESTS --concurrency 4 --format text --format markdown=drift.md || code=$?
    if [ -e drift.md ]; then echo "##vso[task.uploadsummary]$PWD/drift.md"; fi
    case $code in
      3 | 6) echo '##vso[task.complete result=SucceededWithIssues]A site has nothing to compare yet.' ;;
      *) exit "$code" ;;
    esac
  displayName: Compare
  env:
    ${accessToken}
    ${readComment}
`

/** The pipeline for Azure DevOps: checks, shows plans, applies those of the same run, and compares once a day. */
export const azurePipeline: CiFile = {
  product: 'Azure DevOps',
  path: 'azure-pipelines.yml',
  template: `\
# In pull requests, checks the manifests and shows the plans. On the main branch, applies the plans of the same run once
# they are approved. A scheduled run resumes configurations in progress, and fails if a site differs.
# Generated by \`landform init\`; edit it as you like. Another \`landform init --ci azure\` adds its site to this file.
trigger: [main]
# Only for repositories on GitHub and Bitbucket. In Azure Repos, a branch policy runs this pipeline for pull requests.
pr: [main]
schedules:
  - cron: "23 4 * * *"
    displayName: Resume and compare
    branches:
      include: [main]
    always: true
# If an environment has the check *Exclusive lock*, runs that apply its site wait for each other, and none is cancelled.
lockBehavior: sequential
# Planning reads the sites: choose a pool whose agents reach them, and have bash and git.
pool:
  vmImage: ubuntu-latest
parameters:
  # One stage for each site, because a stage waits for the approvals of all its environments.
  - name: sites
    type: object
${names.head}
variables:
  # Azure DevOps does not set CI. With it, apply refuses to create a site with state on the disk of an agent.
  CI: 'true'
  # One line per site: its name, its manifest and its origin. The environment of a site has the same name. Other origins
  # are never called, whatever a pull request changes in a manifest.
${table.head}
${connectionHead}
stages:
  - stage: check
    jobs:
      - job: check
        steps:
          - checkout: self
${indent(ofJob, install)}\
          # Needs no network and no secrets.
          - bash: landform validate $MANIFESTS
            displayName: Check
  - stage: plan
    # Pull requests from forks are only checked.
    condition: and(succeeded(), ne(variables['System.PullRequest.IsFork'], 'True'))
    jobs:
      - job: plan
        steps:
${indent(ofJob, planSteps)}\
  # Applies exactly the plans of this run. Review them first, in the summary, the log or the artifact.
  - \${{ each site in parameters.sites }}:
      - stage: apply_\${{ replace(replace(site, '-', '_'), '.', '__') }}
        displayName: apply \${{ site }}
        dependsOn: plan
        condition: >-
          and(succeeded(), eq(variables['Build.SourceBranch'], 'refs/heads/main'),
          contains(dependencies.plan.outputs['plan.plan.apply'], ',\${{ site }},'))
        jobs:
          - deployment: apply
            # Approve it to start this stage. Azure DevOps creates a missing environment, without an approval.
            environment: \${{ site }}
            # Longer than apply waits for the lock (20 minutes) and, by default, for the site (3 hours).
            timeoutInMinutes: 220
            variables:
              SITE: \${{ site }}
            strategy:
              runOnce:
                deploy:
                  steps:
${indent(ofDeployment, applySteps)}\
  - stage: drift
    dependsOn: check
    condition: and(succeeded(), eq(variables['Build.Reason'], 'Schedule'))
    jobs:
      - job: drift
        steps:
${indent(ofJob, driftSteps)}`,
  lists: [
    table,
    names,
    {
      head: connectionHead,
      prefix: '  ',
      lines: ({ azureState }) => (azureState ? ['AZURE_CONNECTION: landform-state'] : []),
    },
    mapSecrets(readComment, ofJob, 'readVariables'),
    mapSecrets(applyComment, ofDeployment, 'variables'),
  ],
}
