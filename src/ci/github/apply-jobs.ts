import { yamlText } from '../../manifest/yaml-text.js'
import type { CiFacts } from '../ci-facts.js'
import { setUp, siteOptions } from './steps.js'

/** Performs the chosen plan and no other, and begins anew where that no longer fits. */
export function applyJobs({ name, variables }: CiFacts): string {
  const listed = variables.map(one => `          ${one}: \${{ secrets.${one} }}\n`).join('')
  const secrets = listed === '' ? '' : `        env:\n${listed}`
  return `\
  apply:
    if: needs.choose.outputs.apply == 'true'
    needs: choose
    runs-on: ubuntu-latest
    # Longer than apply waits by itself.
    timeout-minutes: 200
    # The secrets belong to this environment, which may also ask for a review.
    environment: ${yamlText(name)}
    permissions:
      # What was applied is kept in this repository, below refs/landform/, because the disk of a runner does not last.
      contents: write
      actions: read
    # Never two at once, and none is broken off.
    concurrency:
      group: ${yamlText(`landform-${name}`)}
      cancel-in-progress: false
    outputs:
      exitcode: \${{ steps.apply.outputs.exitcode }}
    steps:
${setUp}\
      - name: Get the plan
        env:
          GH_TOKEN: \${{ github.token }}
        run: gh run download "$GITHUB_RUN_ID" --name landform-plan --dir chosen
      # The license is read below the folder of the manifest: keep it in the repository, or write it here.
      # Where the time is up (exit code 3), the next scheduled run goes on.
      - name: Apply
        id: apply
${secrets}\
        run: |
          code=0
          landform apply chosen/plan.json --manifest "$MANIFEST" ${siteOptions} --yes --progress lines || code=$?
          echo "exitcode=$code" >> "$GITHUB_OUTPUT"
          exit "$code"
  again:
    # The manifest or the site moved since the plan was made, or the plan was used: a new one is made, and read anew.
    if: failure() && needs.apply.outputs.exitcode == '6'
    needs: apply
    runs-on: ubuntu-latest
    permissions:
      actions: write
    steps:
      - name: Begin anew
        env:
          GH_TOKEN: \${{ github.token }}
        run: gh workflow run landform.yml --ref main --repo "$GITHUB_REPOSITORY"
`
}
