import { formatYamlText } from '../manifest/yaml-text.js'
import { inputPatterns, lockTimeout } from './ci-facts.js'
import { buildSiteTable, type CiFile, type SiteList } from './ci-file.js'
import { attestPermissions, attestStep, setUp, setUpOffline, uploadStep } from './github-steps.js'

/** The variables of every command that reads a site. `listSecrets` adds secrets after them. */
const readEnvironment = `\
          LANDFORM_ALLOWED_ORIGINS: \${{ env.ORIGINS }}
          # What signs in to the sites: secrets of the repository.
`
const identityHead = '      # With state in azblob: `id-token: write`, to sign in to Entra.'
const applicationHead =
  '  # With state in azblob: the application that signs in to Entra, from variables of the repository.'
const applyHead =
  '          # Everything that the manifests name: secrets of the environment, or of the repository.'

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
      # No network, no secret.
      - name: Check
        run: landform validate $MANIFESTS --format github
      - name: Report what is not checked
        if: >-
          github.event_name == 'pull_request' &&
          (github.event.pull_request.head.repo.full_name != github.repository ||
          (github.actor == 'dependabot[bot]' && github.event.pull_request.user.login == 'dependabot[bot]'))
        run: |
          echo '::notice title=landform::Not checked here: the sites. Pull requests from forks and of Dependabot get no secrets.'
  plan:
    # Pull requests from forks are checked, but do not reach a site. So are groups of a merge queue, planned before, and
    # Dependabot's own pull requests: one that it opened and that nobody else pushed to.
    if: >-
      github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository &&
      !(github.actor == 'dependabot[bot]' && github.event.pull_request.user.login == 'dependabot[bot]')
    # It does not wait for \`check\`, and ends like it with an invalid manifest: then its earlier comment is outdated.
    # The plan reads the sites: name a runner that reaches them, here and below, with git and gh. What it signs in with has
    # to be a secret of the repository, since only apply has an environment.
    runs-on: ubuntu-latest
    permissions:
      contents: read
      pull-requests: write
${attestPermissions}\
    # A newer push cancels an older one.
    concurrency:
      group: landform-plan-\${{ github.event.pull_request.number }}
      cancel-in-progress: true
    steps:
${setUp(2)}\
      # The checkout is the merge commit, whose first parent is the target branch. If they cannot be compared, plans are made.
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
      - name: Keep the plans
        if: steps.plan.outputs.changes == 'true'
${uploadStep}\
      # After a failed plan, an earlier comment is marked as outdated. Without a changed file there is no plan: an earlier
      # comment says so, and no new one is written.
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
      # For the plans of other runs, and for the rules of the environments.
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
            # The last good run for the pull request that made this commit.
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
      # A site that cannot be planned stops no other; the last step fails for it.
      - name: Make new plans
        id: made
        if: steps.reviewed.outputs.found != 'true'
        continue-on-error: true
        env:
${readEnvironment}\
        run: landform plan $MANIFESTS --concurrency 4 --expires 168h --out plans
      # Plans without a review wait for a reviewer of their environment, or for a run that names this one.
      - name: Decide
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
          # A run that names this one applies all of them.
          [ -z "$unread" ] || waiting=
          apply=$reviewed$waiting
          echo "apply=[\${apply#,}]" >> "$GITHUB_OUTPUT"
          echo "unread=$unread" >> "$GITHUB_OUTPUT"
      - name: Attest the new plans
        if: env.ATTEST == 'true' && steps.made.outputs.changes == 'true'
${attestStep}\
      - name: Keep the plans
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
    # One site whose plan failed in \`choose\` stops no other.
    if: \${{ !cancelled() && needs.choose.outputs.apply != '' && needs.choose.outputs.apply != '[]' }}
    needs: choose
    strategy:
      fail-fast: false
      matrix:
        site: \${{ fromJSON(needs.choose.outputs.apply) }}
    runs-on: ubuntu-latest
    # Longer than apply waits for the lock and, by default, for the site.
    timeout-minutes: 220
    # The secrets of a site belong to the environment of its name, which may also ask for a review.
    environment: \${{ matrix.site }}
    permissions:
      # The state is kept in this repository, below refs/landform/, because the disk of a runner is temporary.
      contents: write
      actions: read
      attestations: read
${identityHead}
    # Never two at once for a site, and none is cancelled.
    concurrency:
      group: landform-\${{ matrix.site }}
      cancel-in-progress: false
    env:
      SITE: \${{ matrix.site }}
    outputs:
      # Only jobs with a stale plan set it, so no other job of the matrix replaces it.
      stale: \${{ steps.apply.outputs.stale }}
    steps:
${setUp(1)}\
      - name: Get the plan
        env:
          GH_TOKEN: \${{ github.token }}
        run: gh run download "$GITHUB_RUN_ID" --name landform-plans --dir plans
      # Nothing is applied unless GitHub signed that a run of this workflow made exactly this plan.
      - name: Verify the attestation of the plan
        if: env.ATTEST == 'true'
        env:
          GH_TOKEN: \${{ github.token }}
        run: |
          gh attestation verify "plans/$SITE.plan.json" --repo "$GITHUB_REPOSITORY" \\
            --signer-workflow "\${GITHUB_WORKFLOW_REF%@*}"
      # The license is read below the folder of the manifest: keep it in the repository, or write it here.
      # If the wait times out (exit code 3), the next scheduled run resumes it. --lock-timeout outlasts a dead runner's lock.
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
    # A plan is stale: new ones are made, and reviewed again.
    if: failure() && needs.apply.outputs.stale == 'true'
    needs: apply
    runs-on: ubuntu-latest
    permissions:
      actions: write
    steps:
      - name: Start again
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
      # A site that cannot be compared hides no difference of another, and closes nothing.
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
# Checks manifests in every pull request, plans in those of this repository, and applies on the main branch exactly the plans
# that were reviewed. Once a day it resumes configurations in progress, and reports drift in an issue.
# Generated by \`landform init\`; edit it as you like. A second \`landform init --ci github\` adds its site to the lists.
name: landform
on:
  # No \`paths\`: a required check of a workflow that they skip stays pending. The job \`plan\` compares the files itself.
  pull_request:
  merge_group:
  push:
    branches: [main]
    # The files that a plan can depend on; keep PATHS below the same.
    paths:
${inputPatterns.map(one => `      - '${one}'\n`).join('')}\
  schedule:
    - cron: "23 4 * * *"
  workflow_dispatch:
    inputs:
      run:
        description: Number of the run whose reviewed plans are applied; without it, new plans are made
# Every job names the permissions that it needs.
permissions: {}
defaults:
  run:
    shell: bash
env:
  # The name of each site, which its environment has, too; its manifest; and its origin. No other site is ever called,
  # whatever a pull request changes in a manifest.
${table.head}
  # A pull request that changes no such file gets no plan.
  PATHS: |-
${inputPatterns.map(one => `    ${one}\n`).join('')}\
  # GitHub attests which run made a plan, and apply verifies it. Private repositories need GitHub Enterprise Cloud for
  # that: without it, write 'false'.
  ATTEST: 'true'
${applicationHead}
jobs:
${reviewJobs}${chooseJob}${applyJobs}${driftJob}`,
  lists: [
    table,
    { head: '    paths:', prefix: '      - ', lines: ({ files }) => files.map(formatYamlText) },
    { head: '  PATHS: |-', prefix: '    ', lines: ({ files }) => files.map(escapeExpressions) },
    listSecrets('          # What signs in to the sites: secrets of the repository.', 'readVariables'),
    listSecrets(applyHead, 'variables'),
    listForAzure(identityHead, ['id-token: write']),
    listForAzure(
      applicationHead,
      ['AZURE_CLIENT_ID', 'AZURE_TENANT_ID'].map(one => `${one}: \${{ vars.${one} }}`),
    ),
  ],
}
