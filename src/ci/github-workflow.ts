import { formatYamlText } from '../manifest/yaml-text.js'
import { inputPatterns, lockTimeout } from './ci-facts.js'
import { buildSiteTable, type CiFile, type SiteList } from './ci-file.js'
import { attestPermissions, attestStep, setUp, setUpOffline, uploadStep } from './github-steps.js'

/** The variables of every command that reads a site. `listSecrets` adds secrets after them. */
const readEnvironment = `\
          LANDFORM_ALLOWED_ORIGINS: \${{ env.ORIGINS }}
          # The credentials for reading the sites, from secrets of the repository.
`
const identityHead = '      # For state in azblob: `id-token: write`, to sign in to Entra.'
const applicationHead =
  '  # For state in azblob: the Entra application that signs in, from variables of the repository.'
const applyHead =
  '          # All variables that the manifests name, from secrets of the environment or the repository.'

/** Lists secrets after a line in the `env` of a step. */
function listSecrets(head: string, which: 'variables' | 'readVariables'): SiteList {
  const lines: SiteList['lines'] = facts => facts[which].map(one => `${one}: \${{ secrets.${one} }}`)
  return { head, prefix: '          ', lines }
}

/** Lists lines that only sites with state in Azure need. */
function listForAzure(head: string, lines: readonly string[]): SiteList {
  return {
    head,
    prefix: head.slice(0, head.indexOf('#')),
    lines: ({ azureState }) => (azureState ? lines : []),
  }
}

/** Escapes expressions of GitHub in paths and hosts, such as one that names a secret. */
function escapeExpressions(text: string): string {
  return text.replaceAll(/\$\{\{/g, () => `\${{'\${{'}}`)
}

/** Reviews changes in pull requests: a check without secrets, and the plans of all sites in one comment. */
const reviewJobs = `\
  check:
    runs-on: ubuntu-latest
    permissions:
      contents: read
    steps:
${setUpOffline}\
      # Needs no network and no secrets.
      - name: Check
        run: landform validate $MANIFESTS --format github
      - name: Report that the sites are not checked
        if: >-
          github.event_name == 'pull_request' &&
          (github.event.pull_request.head.repo.full_name != github.repository ||
          (github.actor == 'dependabot[bot]' && github.event.pull_request.user.login == 'dependabot[bot]'))
        run: |
          echo '::notice title=landform::Not checked here: the sites. Pull requests from forks and of Dependabot get no secrets.'
  plan:
    # Only the job \`check\` runs for pull requests from forks and for Dependabot's own (which it opened, and nobody else
    # pushed to): they get no secrets. The same holds for merge groups, whose pull requests were planned before.
    if: >-
      github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository &&
      !(github.actor == 'dependabot[bot]' && github.event.pull_request.user.login == 'dependabot[bot]')
    # Runs beside \`check\`. If a manifest is invalid, this job fails too, and marks its earlier comment as outdated.
    # Planning reads the sites: here and below, choose a runner that reaches them and has git and gh. The credentials
    # must be secrets of the repository, because only the job \`apply\` has an environment.
    runs-on: ubuntu-latest
    permissions:
      contents: read
      pull-requests: write
${attestPermissions}\
    # A newer push cancels the run of an older one.
    concurrency:
      group: landform-plan-\${{ github.event.pull_request.number }}
      cancel-in-progress: true
    steps:
${setUp(2)}\
      # HEAD is the merge commit, and its first parent the target branch. If they cannot be compared, the sites are planned.
      - name: Look for changed files
        id: files
        run: |
          set -f
          if GIT_GLOB_PATHSPECS=1 git diff --quiet HEAD^ HEAD -- $PATHS; then changed=false; else changed=true; fi
          echo "changed=$changed" >> "$GITHUB_OUTPUT"
      - name: Plan
        id: plan
        if: steps.files.outputs.changed == 'true'
        env:
${readEnvironment}\
        run: landform plan $MANIFESTS --concurrency 4 --expires 168h --out plans
      - name: Attest the plans
        if: env.ATTEST == 'true' && steps.plan.outputs.changes == 'true'
${attestStep}\
      - name: Upload the plans
        if: steps.plan.outputs.changes == 'true'
${uploadStep}\
      # If planning failed, marks an earlier comment as outdated. If no file changed, there are no plans: updates an earlier
      # comment, but writes no new one.
      - name: Keep one comment in the pull request
        if: \${{ !cancelled() && steps.files.outcome == 'success' }}
        env:
          GH_TOKEN: \${{ github.token }}
          CHANGED: \${{ steps.files.outputs.changed }}
        run: |
          if [ "$CHANGED" = true ]; then plans=plans; else plans=; fi
          landform comment $plans $(printf -- '--manifest %s ' $MANIFESTS)
`

/** Finds the reviewed plans, or makes new ones that must be reviewed. */
const chooseJob = `\
  choose:
    if: github.event_name != 'pull_request' && github.ref == 'refs/heads/main'
    needs: check
    runs-on: ubuntu-latest
    permissions:
      contents: read
      # To download the plans of other runs, and to read the rules of the environments.
      actions: read
      pull-requests: read
${attestPermissions}\
    outputs:
      apply: \${{ steps.decide.outputs.apply }}
    steps:
${setUp(1)}\
      - name: Find the plans that were reviewed
        id: reviewed
        env:
          GH_TOKEN: \${{ github.token }}
          RUN: \${{ inputs.run }}
        run: |
          if [ -n "$RUN" ]; then
            gh run download "$RUN" --name landform-plans --dir plans
          elif [ "$GITHUB_EVENT_NAME" = push ]; then
            # The last successful run of the pull request whose merge is this commit.
            head=$(gh api "repos/$GITHUB_REPOSITORY/commits/$GITHUB_SHA/pulls" --jq '[.[] | select(
              .merge_commit_sha == env.GITHUB_SHA and .head.repo.full_name == env.GITHUB_REPOSITORY
            )][0].head.sha // empty')
            run=
            if [ -n "$head" ]; then
              run=$(gh run list --workflow landform.yml --event pull_request --status success --commit "$head" \\
                --limit 1 --json databaseId --jq '.[0].databaseId // empty')
            fi
            if [ -z "$run" ] || ! gh run download "$run" --name landform-plans --dir plans; then
              echo '::notice title=landform::No pull request has plans for this commit; new ones are made.'
            fi
          fi
          if [ -e plans ]; then
            echo found=true >> "$GITHUB_OUTPUT"
            for plan in plans/*.plan.json; do landform show "$plan" --format markdown >> "$GITHUB_STEP_SUMMARY"; done
          fi
      # If a site cannot be planned, the others continue, and the last step fails.
      - name: Make new plans
        id: made
        if: steps.reviewed.outputs.found != 'true'
        continue-on-error: true
        env:
${readEnvironment}\
        run: landform plan $MANIFESTS --concurrency 4 --expires 168h --out plans
      # A new plan waits for a reviewer of its environment. If an environment requires no reviewer, only a later run that is
      # started with the ID of this one applies the new plans.
      - name: Choose the plans to apply
        id: decide
        env:
          GH_TOKEN: \${{ github.token }}
          FOUND: \${{ steps.reviewed.outputs.found }}
        run: |
          reviewed= waiting= unread=
          for site in $NAMES; do
            plan=plans/$site.plan.json
            if [ ! -e "$plan" ]; then
              echo "::warning title=landform::There is no plan of $site: is that still the name in its manifest?"
              continue
            fi
            summary='JSON.parse(fs.readFileSync(process.argv[1], "utf8")).summary'
            changes=$(node -p "const { create, update, resume } = $summary; create + update + resume" "$plan")
            resume=$(node -p "$summary.resume" "$plan")
            if [ "$changes" = 0 ]; then continue; fi
            if [ "$FOUND" = true ] || [ "$resume" != 0 ]; then
              # A configuration in progress was reviewed before it started.
              reviewed+=",\\"$site\\""
            elif [ "$GITHUB_EVENT_NAME" != schedule ]; then
              waiting+=",\\"$site\\""
              rule=$(gh api "repos/$GITHUB_REPOSITORY/environments/$site" \\
                --jq 'any(.protection_rules[]; .type == "required_reviewers")') || rule=false
              [ "$rule" = true ] || unread+=" $site"
            fi
          done
          # The later run then applies all new plans, not only the unread ones.
          [ -z "$unread" ] || waiting=
          apply=$reviewed$waiting
          echo "apply=[\${apply#,}]" >> "$GITHUB_OUTPUT"
          echo "unread=$unread" >> "$GITHUB_OUTPUT"
      - name: Attest the new plans
        if: env.ATTEST == 'true' && steps.made.outputs.changes == 'true'
${attestStep}\
      - name: Upload the plans
        if: steps.decide.outputs.apply != '[]' || steps.decide.outputs.unread != ''
${uploadStep}\
      - name: Ask for a review of the plans
        if: steps.decide.outputs.unread != '' || steps.made.outcome == 'failure'
        env:
          UNREAD: \${{ steps.decide.outputs.unread }}
        run: |
          if [ -n "$UNREAD" ]; then
            echo "::error title=landform::Not reviewed:$UNREAD. Read the plans in the summary; to apply exactly these:" \\
              "gh workflow run landform.yml --field run=$GITHUB_RUN_ID"
          fi
          exit 1
`

/** Applies exactly the chosen plan of each site, and starts a new run if one is stale. */
const applyJobs = `\
  apply:
    # Runs even if \`choose\` failed because a site could not be planned.
    if: \${{ !cancelled() && needs.choose.outputs.apply != '' && needs.choose.outputs.apply != '[]' }}
    needs: choose
    strategy:
      fail-fast: false
      matrix:
        site: \${{ fromJSON(needs.choose.outputs.apply) }}
    runs-on: ubuntu-latest
    # Longer than apply waits for the lock (20 minutes) and, by default, for the site (3 hours).
    timeout-minutes: 220
    # The environment has the name of the site and holds its secrets; it may also require a review.
    environment: \${{ matrix.site }}
    permissions:
      # To push state to refs/landform/ of this repository, because the disk of a runner is temporary.
      contents: write
      actions: read
      attestations: read
${identityHead}
    # One job at a time for each site; a running one is never cancelled.
    concurrency:
      group: landform-\${{ matrix.site }}
      cancel-in-progress: false
    env:
      SITE: \${{ matrix.site }}
    outputs:
      # The jobs of a matrix share their outputs, so only those with a stale plan set this one.
      stale: \${{ steps.apply.outputs.stale }}
    steps:
${setUp(1)}\
      - name: Get the plan
        env:
          GH_TOKEN: \${{ github.token }}
        run: gh run download "$GITHUB_RUN_ID" --name landform-plans --dir plans
      # Fails unless GitHub signed that a run of this workflow made exactly this plan.
      - name: Verify the attestation of the plan
        if: env.ATTEST == 'true'
        env:
          GH_TOKEN: \${{ github.token }}
        run: |
          gh attestation verify "plans/$SITE.plan.json" --repo "$GITHUB_REPOSITORY" \\
            --signer-workflow "\${GITHUB_WORKFLOW_REF%@*}"
      # The license is read below the folder of the manifest: commit it, or write it there in this step. If the wait times
      # out (exit code 3), the next scheduled run resumes the configuration. --lock-timeout outlasts a dead runner's lock.
      - name: Apply
        id: apply
        env:
          LANDFORM_ALLOWED_ORIGINS: \${{ env.ORIGINS }}
${applyHead}
        run: |
          manifest=$(awk -v site="$SITE" '$1 == site { print $2 }' <<< "$SITES")
          code=0
          landform apply "plans/$SITE.plan.json" --manifest "$manifest" --yes --progress lines \\
            --lock-timeout ${lockTimeout} || code=$?
          if [ "$code" = 6 ]; then echo stale=true >> "$GITHUB_OUTPUT"; fi
          exit "$code"
  again:
    # A plan was stale: a new run makes new plans, which must be reviewed again.
    if: failure() && needs.apply.outputs.stale == 'true'
    needs: apply
    runs-on: ubuntu-latest
    permissions:
      actions: write
    steps:
      - name: Start a new run
        env:
          GH_TOKEN: \${{ github.token }}
        run: gh workflow run landform.yml --ref main --repo "$GITHUB_REPOSITORY"
`

/** Compares once a day, and keeps one issue with the differences of all sites. */
const driftJob = `\
  drift:
    if: github.event_name == 'schedule'
    needs: check
    runs-on: ubuntu-latest
    permissions:
      contents: read
      issues: write
${identityHead}
    steps:
${setUp(1)}\
      - name: Compare
        id: drift
        env:
${readEnvironment}\
        run: |
          code=0
          landform drift $MANIFESTS --concurrency 4 --format text --format markdown=drift.md || code=$?
          echo "code=$code" >> "$GITHUB_OUTPUT"
          case $code in
            0 | 2) ;;
            3 | 6) echo '::notice title=landform::A site has nothing to compare yet.' ;;
            *) exit "$code" ;;
          esac
      # Reports differences even if another site cannot be compared, and closes the issue only if all sites match.
      - name: Report in an issue
        if: \${{ !cancelled() && hashFiles('drift.md') != '' }}
        env:
          GH_TOKEN: \${{ github.token }}
          CHANGES: \${{ steps.drift.outputs.changes }}
          CODE: \${{ steps.drift.outputs.code }}
        run: |
          issues="repos/$GITHUB_REPOSITORY/issues"
          issue=$(gh api --paginate "$issues?state=open&per_page=100" --jq '.[] | select(
            .user.type == "Bot" and (.body // "" | startswith("<!-- landform-drift: "))) | .number' | sed -n 1p)
          if [ "$CHANGES" = true ] && [ -z "$issue" ]; then
            gh api --silent "$issues" --field title='Sites differ from their manifests' --field body=@drift.md
          elif [ "$CHANGES" = true ]; then
            gh api --silent --method PATCH "$issues/$issue" --field body=@drift.md
          elif [ "$CODE" = 0 ] && [ -n "$issue" ]; then
            gh api --silent --method PATCH "$issues/$issue" --field body=@drift.md --field state=closed
          fi
`

const table = buildSiteTable('  ', escapeExpressions)

/** The workflow for GitHub Actions: checks, shows plans, applies exactly the reviewed ones, and compares once a day. */
export const githubWorkflow: CiFile = {
  product: 'GitHub Actions',
  path: '.github/workflows/landform.yml',
  template: `\
# Checks the manifests in every pull request, and plans the sites in those that do not come from a fork. On the main branch,
# applies exactly the plans that were reviewed. Once a day, resumes configurations in progress, and reports drift in an issue.
# Generated by \`landform init\`; edit it as you like. Another \`landform init --ci github\` adds its site to this file.
name: landform
on:
  # No \`paths\`: a required check of a skipped workflow stays pending. The job \`plan\` looks for changed files itself.
  pull_request:
  merge_group:
  push:
    branches: [main]
    # The files that a plan can depend on. PATHS below must list the same.
    paths:
${inputPatterns.map(one => `      - '${one}'\n`).join('')}\
  schedule:
    - cron: "23 4 * * *"
  workflow_dispatch:
    inputs:
      run:
        description: ID of the run whose reviewed plans to apply; empty to make new plans
# Each job lists the permissions that it needs.
permissions: {}
defaults:
  run:
    shell: bash
env:
  # One line per site: its name, its manifest and its origin. The environment of a site has the same name. Other origins
  # are never called, whatever a pull request changes in a manifest.
${table.head}
  # A pull request gets plans only if it changes one of these files.
  PATHS: |-
${inputPatterns.map(one => `    ${one}\n`).join('')}\
  # GitHub signs which run made a plan, and the job \`apply\` verifies it. Private repositories need GitHub Enterprise Cloud
  # for this; without it, set 'false'.
  ATTEST: 'true'
${applicationHead}
jobs:
${reviewJobs}${chooseJob}${applyJobs}${driftJob}`,
  lists: [
    table,
    { head: '    paths:', prefix: '      - ', lines: ({ files }) => files.map(formatYamlText) },
    { head: '  PATHS: |-', prefix: '    ', lines: ({ files }) => files.map(escapeExpressions) },
    listSecrets(
      '          # The credentials for reading the sites, from secrets of the repository.',
      'readVariables',
    ),
    listSecrets(applyHead, 'variables'),
    listForAzure(identityHead, ['id-token: write']),
    listForAzure(
      applicationHead,
      ['AZURE_CLIENT_ID', 'AZURE_TENANT_ID'].map(one => `${one}: \${{ vars.${one} }}`),
    ),
  ],
}
