import { azurePipeline } from './azure-pipeline.js'
import type { CiFile } from './ci-file.js'
import { githubWorkflow } from './github-workflow.js'
import { gitlabPipeline } from './gitlab.js'

/** The files that `init --ci` writes, by the value of that option. */
export const ciFiles = {
  github: githubWorkflow,
  gitlab: gitlabPipeline,
  azure: azurePipeline,
} as const satisfies Readonly<Record<string, CiFile>>

export type CiSystem = keyof typeof ciFiles

export const ciSystems = Object.keys(ciFiles) as readonly CiSystem[]
