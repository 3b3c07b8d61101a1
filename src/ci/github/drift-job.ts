import { setUp, siteOptions } from './steps.js'

/** Compares once a day, and keeps one issue with the differences. */
export const driftJob = `\
  drift:
    if: github.event_name == 'schedule'
    needs: check
    runs-on: ubuntu-latest
    permissions:
      contents: read
      issues: write
    steps:
${setUp}\
      - name: Compare
        id: drift
        run: |
          code=0
          landform drift "$MANIFEST" ${siteOptions} \\
            --format text --format markdown=drift.md || code=$?
          echo "exitcode=$code" >> "$GITHUB_OUTPUT"
          case $code in
            0 | 2) cat drift.md >> "$GITHUB_STEP_SUMMARY" ;;
            3 | 6) echo '::notice title=landform::There is nothing to compare yet.' ;;
            *) exit "$code" ;;
          esac
      - name: Report in an issue
        if: \${{ hashFiles('drift.md') != '' }}
        env:
          GH_TOKEN: \${{ github.token }}
          CODE: \${{ steps.drift.outputs.exitcode }}
        run: |
          issues="repos/$GITHUB_REPOSITORY/issues"
          issue=$(MARKER=$(head -n 1 drift.md) gh api --paginate "$issues?state=open&per_page=100" \\
            --jq '.[] | select(.user.type == "Bot" and (.body // "" | startswith(env.MARKER))) | .number' | sed -n 1p)
          if [ "$CODE" = 2 ] && [ -z "$issue" ]; then
            gh api --silent "$issues" --field title="The site differs: $ENVIRONMENT" --field body=@drift.md
          elif [ "$CODE" = 2 ]; then
            gh api --silent --method PATCH "$issues/$issue" --field body=@drift.md
          elif [ -n "$issue" ]; then
            gh api --silent --method PATCH "$issues/$issue" --field body=@drift.md --field state=closed
          fi
`
