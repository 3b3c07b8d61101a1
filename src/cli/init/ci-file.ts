import { join, relative } from 'node:path'
import type { CiFacts } from '../../ci/ci-facts.js'
import { githubWorkflow } from '../../ci/github/workflow.js'
import { gitlabPipeline } from '../../ci/gitlab/pipeline.js'
import type { Manifest } from '../../manifest/manifest.js'
import { wantedByConfigure } from '../../secrets/wanted.js'
import { repositoryOf } from './schema-link.js'
import type { NewFile } from './write-files.js'

const systems = {
  github: { path: join('.github', 'workflows', 'landform.yml'), text: githubWorkflow },
  gitlab: { path: '.gitlab-ci.yml', text: gitlabPipeline },
} as const satisfies Readonly<
  Record<string, { readonly path: string; readonly text: (facts: CiFacts) => string }>
>

export type CiSystem = keyof typeof systems

/** Where a CI system looks for its file, seen from the working folder. */
export function ciPath(system: CiSystem, file: string): string {
  return relative('.', join(repositoryOf(file), systems[system].path))
}

/** The file of a CI system for a manifest. */
export function ciFile(system: CiSystem, manifest: Manifest): NewFile {
  const { name, site, organization, file } = manifest
  const variables = wantedByConfigure(organization).flatMap(wanted =>
    wanted.kind === 'secret' && 'env' in wanted.reference ? [wanted.reference.env] : [],
  )
  const facts = {
    name,
    manifest: relative(repositoryOf(file), file).replaceAll('\\', '/'),
    origin: new URL(site.url).origin,
    variables,
  }
  return { path: ciPath(system, file), content: systems[system].text(facts) }
}
