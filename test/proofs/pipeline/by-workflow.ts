import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { landformCommand } from '../../support/landform-program.js'
import { workflowRunner } from '../../support/workflow-run.js'
import { aRepository } from './chapters/a-repository.js'
import type { Teller } from './story.js'
import { newWorld, pipelineSecrets, type World } from './world.js'

/** It asks for no token, so that the workflow runs as `init` wrote it. */
const open = 'fidelity: field\nsecurityFrom: never\n'

/** The program; where a file says so, an apply is killed once the site is known to have begun, and then the file is gone. */
const program = (killing: string, server: string) => `
if [ "$1" = apply ] && [ -e '${killing}' ]; then
  rm '${killing}'
  ${landformCommand} "$@" &
  until [ "$(git -C '${server}' rev-list --count --glob='refs/landform/127.0.0.1*')" -ge 5 ]; do sleep 0.05; done
  kill -9 $! && exit 137
fi
exec ${landformCommand} "$@"`

const secrets = Object.fromEntries(
  Object.entries(pipelineSecrets).map(([name, value]) => [`secrets.${name}`, value]),
)

/** Runs the jobs of the workflow that `init` wrote, step by step, from a mistake to a site that was changed by hand. */
export async function byWorkflow(folder: string, teller: Teller): Promise<void> {
  writeFileSync(join(folder, 'open.yaml'), open)
  const world = await newWorld(folder, ['--scenario', join(folder, 'open.yaml')])
  try {
    await aRepository.play(world, teller)
    await jobs(world, folder, teller.holds)
  } finally {
    world.close()
  }
}

async function jobs(world: World, folder: string, holds: Teller['holds']): Promise<void> {
  const workflow = readFileSync(join(world.laptop.folder, '.github', 'workflows', 'landform.yml'), 'utf8')
  const killing = join(folder, 'kill')
  const hub = await workflowRunner(workflow, program(killing, join(folder, 'server.git')))
  hub.keep('environments-production.json', { protection_rules: [] })
  let runs = 0
  /** A job on a machine of its own; the jobs of one run share what they keep. */
  const job = (name: string, event: string, { branch = 'main', run = runs } = {}) => {
    const { folder: place } = world.runner(branch)
    return hub.runJob(name, {
      event,
      folder: place,
      run: String(run),
      sha: 'merged',
      values: { 'inputs.run': '', ...secrets },
    })
  }
  const begin = () => {
    runs += 1
  }

  world.edit('site.yaml', ['QUEUE:\n      size: 16Gi', 'QUEUE:\n      size: 24GiB'])
  world.push('larger-queue', 'Make the queue larger')
  begin()
  const wrong = await job('check', 'pull_request', { branch: 'larger-queue' })
  holds(
    'check: a mistake ends with 65 and an annotation',
    wrong.exitCode === 65 && wrong.log.includes('::error '),
  )

  world.edit('site.yaml', ['24GiB', '24Gi'])
  world.push('larger-queue', 'Spell it right')
  begin()
  const right = await job('check', 'pull_request', { branch: 'larger-queue' })
  const planned = await job('plan', 'pull_request', { branch: 'larger-queue' })
  holds('check and plan: the mended manifest is planned', right.exitCode === 0 && planned.exitCode === 0)
  holds('plan: one comment shows it', hub.kept('issues-7-comments.json').length === 1)

  world.merge('larger-queue')
  hub.keep('commits-merged-pulls.json', [
    { merge_commit_sha: 'merged', head: { sha: 'head', repo: { full_name: 'acme/sites' } } },
  ])
  hub.keep('runs.json', [{ databaseId: runs, headSha: 'head' }])
  begin()
  const chosen = await job('choose', 'push')
  holds('choose: it is the plan that was reviewed', chosen.output('reviewed.found') === 'true')
  writeFileSync(killing, '')
  const died = await job('apply', 'push')
  holds('apply: the runner dies in the middle', died.exitCode === 137)
  const again = await job('apply', 'push')
  holds('apply: the same plan is used', again.output('apply.exitcode') === '6')
  await job('again', 'push')
  holds('again: the workflow begins anew', readFileSync(hub.file('begun'), 'utf8').includes('landform.yml'))

  begin()
  const left = await job('choose', 'workflow_dispatch')
  holds('choose: what is under way is taken up', left.output('decide.apply') === 'true')
  const before = world.versions()
  const taking = job('apply', 'workflow_dispatch')
  while (world.versions() < before + 2) await setTimeout(50)
  world.site.pass()
  holds('apply: it ends well', (await taking).exitCode === 0)
  holds('the service accepted one configure', (await world.site.accepted('configure')) === 1)

  begin()
  const nothing = await job('choose', 'schedule')
  holds('choose: at night there is nothing to do', nothing.output('decide.apply') === 'false')
  const equal = await job('drift', 'schedule')
  holds('drift: nothing differs', equal.output('drift.exitcode') === '0')
  await world.site.setTolerations([], 'none')
  begin()
  const differs = await job('drift', 'schedule')
  holds('drift: what was changed by hand is in an issue', differs.output('drift.exitcode') === '2')
  holds('drift: there is one issue', hub.kept('issues.json').length === 1)
}
