import { attestPermissions, buildAttestStep, buildUploadStep, setUp, siteOptions } from './steps.js'

/** Finds the reviewed plan, or makes a new one that must be reviewed. */
export const chooseJob = `\
  choose:
    if: github.event_name != 'pull_request' && github.ref == 'refs/heads/main'
    needs: check
    runs-on: ubuntu-latest
    permissions:
      contents: read
      # For the plans of other runs, and for the rules of the environment.
      actions: read
      pull-requests: read
${attestPermissions}\
    outputs:
      apply: \${{ steps.decide.outputs.apply }}
    steps:
${setUp}\
      - name: Find the plan that was reviewed
        id: reviewed
        env:
          GH_TOKEN: \${{ github.token }}
          RUN: \${{ inputs.run }}
        run: |
          if [ -n "$RUN" ]; then
            gh run download "$RUN" --name landform-plan --dir chosen
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
            if [ -z "$run" ] || ! gh run download "$run" --name landform-plan --dir chosen; then
              echo '::notice title=landform::No pull request has a plan for this commit; a new one is made.'
            fi
          fi
          if [ -e chosen/plan.json ]; then
            echo found=true >> "$GITHUB_OUTPUT"
            landform show chosen/plan.json --format markdown >> "$GITHUB_STEP_SUMMARY"
          fi
      - name: Make a new plan
        id: made
        if: steps.reviewed.outputs.found != 'true'
        run: |
          mkdir -p chosen
          landform plan "$MANIFEST" ${siteOptions} --expires 168h --out chosen/plan.json
      # A plan without a review waits for a reviewer of the environment, or for a run that names this one.
      - name: Decide
        id: decide
        env:
          GH_TOKEN: \${{ github.token }}
          FOUND: \${{ steps.reviewed.outputs.found }}
          CHANGES: \${{ steps.made.outputs.changes }}
          RESUME: \${{ steps.made.outputs.resume }}
        run: |
          apply=false
          if [ "$FOUND" = true ]; then
            apply=true
          elif [ "$CHANGES" = true ] && [ "$RESUME" != 0 ]; then
            # A configuration in progress was reviewed before it started.
            apply=true
          elif [ "$CHANGES" = true ] && [ "$GITHUB_EVENT_NAME" != schedule ]; then
            apply=$(gh api "repos/$GITHUB_REPOSITORY/environments/$ENVIRONMENT" \\
              --jq 'any(.protection_rules[]; .type == "required_reviewers")') || apply=false
            [ "$apply" = true ] || echo unread=true >> "$GITHUB_OUTPUT"
          fi
          echo "apply=$apply" >> "$GITHUB_OUTPUT"
      - name: Attest the new plan
        if: env.ATTEST == 'true' && steps.made.outputs.changes == 'true'
${buildAttestStep('chosen/plan.json')}\
      - name: Keep the plan
        if: steps.decide.outputs.apply == 'true' || steps.decide.outputs.unread == 'true'
${buildUploadStep('chosen/plan.json')}\
      - name: Ask for a review of the plan
        if: steps.decide.outputs.unread == 'true'
        run: |
          echo "::error title=landform::This plan was not reviewed. Read it in the summary; to apply exactly this one:" \\
            "gh workflow run landform.yml --field run=$GITHUB_RUN_ID"
          exit 1
`
