import { formatYamlText } from '../../manifest/yaml-text.js'
import type { CiFacts } from '../ci-facts.js'
import {
  attestPermissions,
  buildAttestStep,
  buildUploadStep,
  setUp,
  setUpOffline,
  siteOptions,
} from './steps.js'

/** Checks a pull request, and plans it if its author may reach the site. */
export function buildReviewJobs({ name }: CiFacts): string {
  return `\
  check:
    runs-on: ubuntu-latest
    permissions:
      contents: read
    steps:
${setUpOffline}\
      # No network, no secret.
      - name: Check
        run: landform validate "$MANIFEST" --format github
  plan:
    # Pull requests from forks are checked, but do not reach the site. So are groups of a merge queue, planned before.
    if: github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository
    needs: check
    # The plan reads the site: name a runner that reaches it, here and below, with git and gh.
    runs-on: ubuntu-latest
    permissions:
      contents: read
      pull-requests: write
${attestPermissions}\
    # A newer push cancels an older one.
    concurrency:
      group: ${formatYamlText(`landform-plan-${name}-\${{ github.event.pull_request.number }}`)}
      cancel-in-progress: true
    steps:
${setUp}\
      - name: Plan
        id: plan
        run: |
          landform plan "$MANIFEST" ${siteOptions} --expires 168h --out plan.json \\
            --format text --format markdown=plan.md
      - name: Attest the plan
        if: env.ATTEST == 'true' && steps.plan.outputs.changes == 'true'
${buildAttestStep('plan.json')}\
      - name: Keep the plan
        if: steps.plan.outputs.changes == 'true'
${buildUploadStep('plan.json')}\
      # One comment for each site, which is found again by its first line.
      - name: Show the plan in the pull request
        if: \${{ !cancelled() && hashFiles('plan.md') != '' }}
        env:
          GH_TOKEN: \${{ github.token }}
          PULL_REQUEST: \${{ github.event.pull_request.number }}
        run: |
          issues="repos/$GITHUB_REPOSITORY/issues"
          comment=$(MARKER=$(head -n 1 plan.md) gh api --paginate "$issues/$PULL_REQUEST/comments?per_page=100" \\
            --jq '.[] | select(.user.type == "Bot" and (.body | startswith(env.MARKER))) | .id' | sed -n 1p)
          if [ -n "$comment" ]; then
            gh api --silent --method PATCH "$issues/comments/$comment" --field body=@plan.md
          else
            gh api --silent "$issues/$PULL_REQUEST/comments" --field body=@plan.md
          fi
`
}
