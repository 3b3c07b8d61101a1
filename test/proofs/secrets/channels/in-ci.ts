import { actionStep } from '../../../support/action-step.js'
import { fakeReview } from '../../../support/fake-review.js'
import type { Scene } from './scene.js'

/** Runs the GitHub action, and searches its log, outputs, job summary and comment on a pull request. */
export async function inCi(scene: Scene): Promise<void> {
  const { place, front, ledger } = scene
  const { folder, control, canaries } = place
  place.write('site.yaml', { url: front.url, token: scene.reference('token') })
  const github = await fakeReview('GitHub')
  const { GH_TOKEN: _, ...variables } = github.environment
  const environment = { ...place.environment, ...variables, GITHUB_RUN_ID: control.value }
  const comment = { comment: 'true', token: canaries.commentToken }
  const step = async (inputs: Readonly<Record<string, string>>, args: string) => {
    const given = { files: 'site.yaml', ...inputs, args }
    const { exitCode, log, told, summary } = await actionStep(given, { workspace: folder, environment })
    if (exitCode !== 0)
      scene.report(`the action ended ${inputs['command']} with ${exitCode}: ${log.slice(-300)}`)
    ledger.see('the log of a job', log)
    ledger.see('outputs of a step', told)
    ledger.see('the summary of a job', summary)
  }
  await step({ command: 'validate' }, '--check-secrets')
  await step({ command: 'plan', plan: `${control.value}.json`, ...comment }, '-v')
  await step({ command: 'apply' }, '--accept-local-state --timeout 60s')
  await step({ command: 'drift', 'succeed-on': '2' }, '-v')
  for (const { body } of github.comments) ledger.see('comments in a pull request', body)
  for (const line of github.requests)
    ledger.see('addresses of requests of the action', `${line} for ${control.value}`)
  await github.close()
}
