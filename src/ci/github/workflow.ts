import { yamlText } from '../../manifest/yaml-text.js'
import type { CiFacts } from '../ci-facts.js'
import { applyJobs } from './apply-jobs.js'
import { chooseJob } from './choose-job.js'
import { driftJob } from './drift-job.js'
import { reviewJobs } from './review-jobs.js'

/** A workflow for GitHub Actions: checks, shows plans, applies just what was reviewed, and looks once a day. */
export function githubWorkflow(facts: CiFacts): string {
  return `\
# Checks the manifest in every pull request, plans in those of this repository, and applies on the main branch just the
# plan that was reviewed. Once a day it takes up what is still under way, and tells in an issue where the site differs.
# Written by \`landform init\`, and yours to change.
name: landform
on:
  pull_request:
  push:
    branches: [main]
  schedule:
    - cron: "23 4 * * *"
  workflow_dispatch:
    inputs:
      run:
        description: Number of the run whose plan was read and is to be applied; without it, a new plan is made
# Every job names what it needs.
permissions: {}
defaults:
  run:
    shell: bash
env:
  MANIFEST: ${inert(facts.manifest)}
  # No other site is ever called, whatever a pull request writes into the manifest.
  ORIGIN: ${inert(facts.origin)}
  # The environment that has the secrets of the site.
  ENVIRONMENT: ${yamlText(facts.name)}
jobs:
${reviewJobs(facts)}${chooseJob}${applyJobs(facts)}${driftJob}`
}

/** Paths and even hosts may hold what GitHub would take for an expression, such as one that names a secret. */
function inert(text: string): string {
  return yamlText(text.replaceAll(/\$\{\{/g, () => `\${{ '\${{' }}`))
}
