const site = '--allow-origin "$ORIGIN"'

/** What the jobs run; `MANIFEST` and `ORIGIN` are in the environment of the workflow. A test finds them all in it. */
export const pipeline = {
  validate: 'landform validate "$MANIFEST" --format github',
  plan: `landform plan "$MANIFEST" ${site} --expires 168h --out plan.json \\\n  --format text --format markdown=plan.md`,
  planAgain: `landform plan "$MANIFEST" ${site} --expires 168h --out chosen/plan.json`,
  apply: `landform apply chosen/plan.json --manifest "$MANIFEST" ${site} --yes --progress lines`,
  drift: `landform drift "$MANIFEST" ${site} \\\n  --format text --format markdown=drift.md`,
} as const
