import { pipeline } from '../commands.js'
import type { Chapter } from '../story.js'
import { pipelineSecrets, type World } from '../world.js'

const plan = [/^Plan/, /^ {2}[=~+] /, /^ {6}[-+~] /, /^saved/]
const batch = { key: 'batch', operator: 'Equal', value: 'nights', effect: 'NoSchedule' }

/** Plans that are not what is there any more are refused, and say what moved. */
export const aPlanTooLate: Chapter<World> = {
  title: 'A plan that comes too late',
  async play(world, { prose, types, shows, holds }) {
    const { site } = world
    prose('The job is run once more, by mistake. The plan was used, and there is nothing under way:')
    const performing = (secrets = pipelineSecrets) => {
      const runner = world.runner('main', secrets)
      runner.brings()
      return runner
    }
    await types(performing(), pipeline.apply, { exit: 6 })
    prose(`\
From now on the site tells nothing without a token. \`apply\` signs in by itself; a plan only ever reads and never does, so the
administrator makes a token for it and puts it into the secrets of the repository. The next pull request wants that upgrades also
run where batches do at night:`)
    const account = { username: 'siteadmin', password: pipelineSecrets.LANDFORM_ADMIN_PASSWORD }
    const secrets = { ...pipelineSecrets, LANDFORM_TOKEN: await site.token(account) }
    const planned = async (branch: string) => {
      const runner = world.runner(branch, { LANDFORM_TOKEN: secrets.LANDFORM_TOKEN })
      const said = await types(runner, pipeline.plan, { keep: plan })
      runner.keeps('plan.json')
      return said
    }
    const last = '        - { key: dedicated, operator: Equal, value: upgrades, effect: NoSchedule }'
    world.edit('site.yaml', [
      last,
      `${last}\n        - { key: nightly, operator: Exists, effect: NoSchedule }`,
    ])
    shows('diff', world.changes())
    world.push('nights', 'Let upgrades run at night')
    const said = await planned('nights')
    holds('the plan is one update', said.includes('0 to create, 1 to update'))
    prose(`\
It is merged. But before the job of the main branch runs, another commit changes the same file. What would be performed is not what
was reviewed, so it is not performed:`)
    world.merge('nights')
    world.edit('site.yaml', ['fullName: Site Administrator', 'fullName: Site Administrators'])
    world.push('main', 'There are two of them')
    const manifest = await types(performing(secrets), pipeline.apply, { exit: 6 })
    holds('it names the manifest', manifest.includes('what moved: the manifest\n'))
    prose(`\
That commit cannot be carried out at all, by the way: the first administrator is what the site was created with, and a plan
would end with 6 and say so. It is taken back, and there is a new plan. Meanwhile somebody sets something else in the administrator
API, by hand:`)
    world.edit('site.yaml', ['Site Administrators', 'Site Administrator'])
    world.push('main', 'Take it back')
    await planned('main')
    await site.setTolerations([batch], secrets.LANDFORM_TOKEN)
    const moved = await types(performing(secrets), pipeline.apply, { exit: 6 })
    holds('it names what moved on the site', moved.includes('the upgrade configuration of the site'))
    holds('nothing was sent for any of these plans', (await site.accepted('update')) === 2)
  },
}
