import { formatYamlText } from '../../manifest/yaml-text.js'
import type { CiFacts } from '../ci-facts.js'
import { setUp, siteOptions } from './steps.js'

/** Applies exactly the chosen plan, and starts again if it is stale. */
export function buildApplyJobs({ name, variables }: CiFacts): string {
  const listed = variables.map(one => `          ${one}: \${{ secrets.${one} }}\n`).join('')
  const secrets = listed === '' ? '' : `        env:\n${listed}`
  return `\
  apply:
    if: needs.choose.outputs.apply == 'true'
    needs: choose
    runs-on: ubuntu-latest
    # Longer than apply waits by default.
    timeout-minutes: 200
    # The secrets belong to this environment, which may also ask for a review.
    environment: ${formatYamlText(name)}
    permissions:
      # The state is kept in this repository, below refs/landform/, because the disk of a runner is temporary.
      contents: write
      actions: read
      attestations: read
    # Never two at once, and none is cancelled.
    concurrency:
      group: ${formatYamlText(`landform-${name}`)}
      cancel-in-progress: false
    outputs:
      exitcode: \${{ steps.apply.outputs.exitcode }}
    steps:
${setUp}\
      - name: Get the plan
        env:
          GH_TOKEN: \${{ github.token }}
        run: gh run download "$GITHUB_RUN_ID" --name landform-plan --dir chosen
      # Nothing is applied unless GitHub signed that a run of this workflow made exactly this plan.
      - name: Verify the attestation of the plan
        if: env.ATTEST == 'true'
        env:
          GH_TOKEN: \${{ github.token }}
        run: |
          gh attestation verify chosen/plan.json --repo "$GITHUB_REPOSITORY" \\
            --signer-workflow "\${GITHUB_WORKFLOW_REF%@*}"
      # The license is read below the folder of the manifest: keep it in the repository, or write it here.
      # If the wait times out (exit code 3), the next scheduled run resumes it.
      - name: Apply
        id: apply
${secrets}\
        run: |
          code=0
          landform apply chosen/plan.json --manifest "$MANIFEST" ${siteOptions} --yes --progress lines || code=$?
          echo "exitcode=$code" >> "$GITHUB_OUTPUT"
          exit "$code"
  again:
    # The plan is stale or was used already: a new one is made, and reviewed again.
    if: failure() && needs.apply.outputs.exitcode == '6'
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
}
