/** Releases of the actions, by the commits of their tags: a tag can be moved, a commit cannot. */
const actions = {
  checkout: 'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1',
  setupNode: 'actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0',
  attest: 'actions/attest@1e69f48acb82d1966a394da916b4c1698aa569d6 # v4.2.2',
  uploadArtifact: 'actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0',
} as const

const install = `\
      - uses: ${actions.setupNode}
        with:
          node-version: 22
          # Use no cache, because another run could have written it.
          package-manager-cache: false
      # Add Landform to package.json: npm ci verifies it against the digest in the lock file. A plain \`npx landform\` would
      # run whatever package has this name in the public registry.
      - name: Install Landform
        run: |
          npm ci --ignore-scripts
          echo "$PWD/node_modules/.bin" >> "$GITHUB_PATH"
      - name: Read the table of sites
        run: |
          echo "NAMES=$(awk '{ printf "%s ", $1 }' <<< "$SITES")" >> "$GITHUB_ENV"
          echo "MANIFESTS=$(awk '{ printf "%s ", $2 }' <<< "$SITES")" >> "$GITHUB_ENV"
          echo "ORIGINS=$(awk '{ printf "%s,", $3 }' <<< "$SITES")" >> "$GITHUB_ENV"
`

/** The first steps of a job that only reads files. */
export const setUpOffline = `\
      - uses: ${actions.checkout}
        with:
          persist-credentials: false
${install}`

/** The first steps of a job that reads or writes state; `commits` is the depth of its checkout. */
export const setUp = (commits: 1 | 2) => `\
      # Keeps its credentials, which \`state: git:origin\` uses.
      - uses: ${actions.checkout}
${commits === 1 ? '' : `        with:\n          fetch-depth: ${commits}\n`}${install}`

/** The permissions of a job that attests a plan. */
export const attestPermissions = `\
      # For the attestation of the plans, which GitHub signs for this run.
      attestations: write
      id-token: write
`

/** Attests that a run of this workflow made these saved plans, which `apply` verifies. */
export const attestStep = `\
        uses: ${actions.attest}
        with:
          subject-path: plans/*.plan.json
`

/** Uploads the saved plans for the job, or the run, that applies them. */
export const uploadStep = `\
        uses: ${actions.uploadArtifact}
        with:
          name: landform-plans
          path: plans
          if-no-files-found: error
          overwrite: true
          retention-days: 30
`
