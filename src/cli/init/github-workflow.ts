import { yamlText } from '../../manifest/yaml-text.js'
import type { CiFacts } from './ci-file.js'

/** Releases of the actions, by the commits of their tags: a tag can be moved, a commit cannot. */
const actions = {
  checkout: 'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1',
  setupNode: 'actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0',
} as const

/** A workflow for GitHub Actions: checks in pull requests, plans where the site may be asked, applies on `main`. */
export function githubWorkflow({ name, manifest, origin, variables }: CiFacts): string {
  const secrets = variables.map(one => `          ${one}: \${{ secrets.${one} }}\n`).join('')
  return `\
# Checks the manifest in pull requests, shows the plan, and applies it on the main branch.
# Written by \`landform init\`, and yours to change.
name: landform
on:
  pull_request:
  push:
    branches: [main]
permissions:
  contents: read
env:
  MANIFEST: ${yamlText(manifest)}
  # No other site is ever called, whatever a pull request writes into the manifest.
  ORIGIN: ${yamlText(origin)}
jobs:
  check:
    # The plan reads the site: name a runner that reaches it.
    runs-on: ubuntu-latest
    steps:
${setUp}\
      # No network, no secret.
      - run: landform validate "$MANIFEST" --format github
      # Pull requests from forks are checked, but do not reach the site.
      - if: \${{ !github.event.pull_request.head.repo.fork }}
        run: landform plan "$MANIFEST" --allow-origin "$ORIGIN" --state git:origin
  apply:
    if: github.event_name == 'push' && github.ref == 'refs/heads/main'
    needs: check
    runs-on: ubuntu-latest
    # Longer than apply waits by itself.
    timeout-minutes: 200
    # The secrets belong to this environment, which may also ask for a review.
    environment: ${yamlText(name)}
    # What was applied is kept in this repository, below refs/landform/, because the disk of a runner does not last.
    permissions:
      contents: write
    # Never two at once, and none is broken off.
    concurrency:
      group: ${yamlText(`landform-${name}`)}
      cancel-in-progress: false
    steps:
${setUp}\
      # The license is read below the folder of the manifest: keep it in the repository, or write it here.
      - run: landform apply "$MANIFEST" --allow-origin "$ORIGIN" --state git:origin --yes --progress lines
        env:
${secrets}`
}

const setUp = `\
      # It leaves credentials for \`--state git:origin\`.
      - uses: ${actions.checkout}
      - uses: ${actions.setupNode}
        with:
          node-version: 22
      # Landform comes with the packages of this repository, locked by their digests: name it in package.json, from
      # wherever you get it. A plain npx would run whatever has that name in the public registry.
      - name: Install Landform
        run: |
          npm ci --ignore-scripts
          echo "$PWD/node_modules/.bin" >> "$GITHUB_PATH"
`
