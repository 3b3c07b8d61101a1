import { answers, holds } from './cases.js'
import { configure, deleteAll, exportSite, lookAtRoot, ready, update } from './requests.js'
import type { Section } from './sentence.js'
import { wholeConfiguration } from './whole-configuration.js'

export const states: Section = {
  section: '3',
  title: 'states and transitions',
  sentences: [
    {
      says: 'in_progress becomes ready when all stages are finished; the message of the root resource reports the organization',
      shown: [
        [
          'ready and in_progress differ in their stages',
          () =>
            wholeConfiguration(({ status }) => {
              const finished = status.stages.every(({ state }) =>
                ['completed', 'not_applicable'].includes(state),
              )
              expect(status.state).toBe(finished ? 'ready' : 'in_progress')
            }),
        ],
        [
          'both occur in a configuration, and ready is never left',
          async () => {
            const seen: string[] = []
            await wholeConfiguration(({ status }) => {
              if (seen.at(-1) !== status.state) seen.push(status.state)
            })
            expect(seen).toEqual(['in_progress', 'ready'])
          },
        ],
        [
          'the message',
          holds(ready, async ({ ask }) => {
            const { body } = await ask(lookAtRoot)
            const { message } = (body as { status: { message: string } }).status
            expect(message).toMatch(/organization/)
            expect(message).toMatch(/success/)
          }),
        ],
      ],
    },
    {
      says: 'the response to configure: in_progress, about a new organization, nothing started, one stage not applicable',
      shown: [0, 250, 60_000].map(
        stageMs =>
          [
            `with stages of ${stageMs} ms`,
            holds({ stageMs }, async ({ ask }) => {
              const { body } = await ask(configure())
              expect(body).toMatchObject({
                status: { state: 'in_progress', message: expect.stringMatching(/new organization/) },
              })
              const { stages } = (body as { status: { stages: { name: string; state: string }[] } }).status
              for (const { name, state } of stages)
                expect(state).toBe(name === 'Cloud Native Storage' ? 'not_applicable' : 'not_started')
            }),
          ] as const,
      ),
    },
    {
      says: 'other overall states, including failure states',
      shown: [
        [
          'before a configuration no state is invented',
          answers(lookAtRoot, expect.objectContaining({ status: {} })),
        ],
      ],
      notShown: 'the document does not name them',
    },
    {
      says: 'stages have four states',
      shown: [
        [
          'all four occur in one configuration, and no others',
          async () => {
            const seen = new Set<string>()
            await wholeConfiguration(({ status }) => {
              for (const { state } of status.stages) seen.add(state)
            })
            expect([...seen].toSorted()).toEqual([
              'completed',
              'in_progress',
              'not_applicable',
              'not_started',
            ])
          },
        ],
      ],
    },
    {
      says: 'the transitions between the states of stages',
      notShown: 'the document does not tell; here one follows the other',
    },
    {
      says: 'the other operations have no states',
      shown: [
        [
          'they are complete when they respond, and the root resource does not mention them',
          holds(ready, async ({ ask }) => {
            const before = await ask(lookAtRoot)
            for (const request of [exportSite(), deleteAll(), update()]) {
              expect((await ask(request)).body).toHaveProperty('status', 'success')
              expect(await ask(lookAtRoot)).toEqual(before)
            }
          }),
        ],
      ],
    },
  ],
}
