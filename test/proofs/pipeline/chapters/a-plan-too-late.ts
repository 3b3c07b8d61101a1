import { pipeline } from '../commands.js'
import type { Chapter } from '../story.js'
import { administrator, pipelineSecrets, type World } from '../world.js'

const plan = [/^Plan/, /^ {2}[=~+] /, /^ {6}[-+~] /, /^saved/]
const batch = { key: 'batch', operator: 'Equal', value: 'nights', effect: 'NoSchedule' }
const last = '          value: upgrades\n          effect: NoSchedule'

/** Plans that are not what is there any more are refused, and say what moved. */
export const aPlanTooLate: Chapter<World> = {
  title: 'A stale plan',
  async play(world, { prose, types, shows, holds }) {
    const { site } = world
    prose('The next pull request allows upgrades on nodes that are reserved for nightly jobs:')
    world.edit('site.yaml', [
      last,
      `${last}\n        - { key: nightly, operator: Exists, effect: NoSchedule }`,
    ])
    shows('diff', world.changes())
    world.push('nights', 'Let upgrades run at night')
    prose(`\
By now there is a site, and it requires a token. An apply signs in by itself, but a plan only reads, so it cannot:`)
    await types(world.runner('nights'), pipeline.plan, { exit: 77 })
    const token = { LANDFORM_TOKEN: await site.token(administrator) }
    prose(`\
An administrator creates a token of a read-only account and adds it to the secrets of the repository. [The
workflow](how-to/github.md) passes it to its jobs as \`LANDFORM_TOKEN\`:`)
    const planning = world.runner('nights', token)
    const said = await types(planning, pipeline.plan, { keep: plan })
    planning.keeps('plan.json')
    holds('the plan is one update', said.includes('0 to create, 1 to update'))
    prose(`\
It is merged. But before the job of the main branch runs, another commit changes the same file. The manifest is no longer what was
reviewed, so the plan is rejected:`)
    const performing = () => {
      const runner = world.runner('main', { ...pipelineSecrets, ...token })
      runner.brings()
      return runner
    }
    world.merge('nights')
    world.edit('site.yaml', ['fullName: Site Administrator', 'fullName: Site Administrators'])
    world.push('main', 'There are two of them')
    const manifest = await types(performing(), pipeline.apply, { exit: 6 })
    holds('it names the manifest', manifest.includes('saved plan is stale: the manifest changed'))
    prose(`\
That commit could not be applied at all, since the first administrator is immutable. It is reverted, so the manifest is again the one
in the plan. But meanwhile somebody changes a setting of the site by hand, in the administrator API:`)
    world.edit('site.yaml', ['Site Administrators', 'Site Administrator'])
    world.push('main', 'Take it back')
    await site.setTolerations([batch], token.LANDFORM_TOKEN)
    const moved = await types(performing(), pipeline.apply, { exit: 6 })
    holds('it names what moved on the site', moved.includes('the upgrade configuration of the site'))
    holds('nothing was sent for this plan', (await site.accepted('update')) === 2)
  },
}
