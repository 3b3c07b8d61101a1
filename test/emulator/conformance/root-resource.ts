import type { Given } from './ask.js'
import { begin, longMs } from './ask.js'
import { answers, holds } from './cases.js'
import { configure, lookAtRoot, ready } from './requests.js'
import type { Case, Section, Sentence } from './sentence.js'
import { type Root, type Stage, wholeConfiguration } from './whole-configuration.js'

const stages = [
  'License validation',
  'Configuration store',
  'Relational store',
  'Cloud Native Storage',
  'Queue store',
  'In-memory store',
  'Object store',
  'Spatiotemporal and index store',
  'Portal REST API',
  'Services REST API',
  'Service lifecycle manager',
  'Usage statistics',
  'System and utility services',
  'Pod replicas',
] as const

const always = (look: (root: Root, moment: 'immediate' | 'later') => void): readonly Case[] => [
  ['in the immediate response and at every moment after it', () => wholeConfiguration(look)],
]

const everyStage = (isRight: (stage: Stage, moment: 'immediate' | 'later') => boolean) =>
  always(({ status }, moment) => {
    expect(status.stages.filter(stage => !isRight(stage, moment))).toEqual([])
  })

const atRoot = (shape: unknown, given: Given): Case[1] =>
  answers(lookAtRoot, expect.objectContaining(shape as Record<string, unknown>), given)

/** Cases for a field before, during and after a configuration. */
function rootField(shape: Record<string, unknown>): readonly Case[] {
  return [
    ['before a configuration', atRoot(shape, {})],
    ['in the response to configure', answers(configure(), expect.objectContaining(shape))],
    ['during it', atRoot(shape, { before: [configure()], passedMs: 1500 })],
    ['after it', atRoot(shape, ready)],
  ]
}

const stageSentence = (name: string, index: number): Sentence => ({
  says: `stage ${index + 1} is ${name}`,
  shown: always(({ status }, moment) => {
    const expected = moment === 'immediate' && index === 11 ? 'Usage Statistics' : name
    expect(status.stages[index]).toHaveProperty('name', expected)
  }),
})

export const root: Section = {
  section: '2.3',
  title: 'configuration root resource',
  sentences: [
    {
      says: 'fullVersion is a string, the full version',
      shown: [
        ...rootField({ fullVersion: '11.2.0' }),
        ['of an older version', atRoot({ fullVersion: '10.9.1' }, { version: '10.9.1' })],
      ],
    },
    {
      says: 'resources are the names of six children',
      shown: rootField({ resources: ['orgs', 'logs', 'system', 'datastores', 'uploads', 'services'] }),
    },
    {
      says: 'currentVersion is a number',
      shown: [
        ...rootField({ currentVersion: 11.2 }),
        ['of an older version', atRoot({ currentVersion: 10.9 }, { version: '10.9.1' })],
      ],
    },
    { says: 'status is an object', shown: rootField({ status: expect.any(Object) }) },
    {
      says: 'info is an object with a build that is a string',
      shown: rootField({ info: { build: expect.any(String) } }),
    },
    {
      says: 'status.state is a string',
      shown: always(({ status }) => expect(['in_progress', 'ready']).toContain(status.state)),
    },
    {
      says: 'status.message is readable text',
      shown: always(({ status }) => expect(status.message).toMatch(/^[A-Z].*\.$/)),
    },
    {
      says: 'status.warnings is an array from the beginning of the configuration on, empty when there are none',
      shown: [
        ...always(({ status }) => expect(status.warnings).toEqual([])),
        [
          'it is absent before a configuration',
          holds({}, async ({ ask }) => {
            expect((await ask(lookAtRoot)).body).not.toHaveProperty('status.warnings')
          }),
        ],
      ],
      notShown: 'what a warning looks like',
    },
    {
      says: 'status.stages has one record for each stage',
      shown: always(({ status }) => {
        expect(status.stages).toHaveLength(14)
        expect(Object.keys(status).toSorted()).toEqual(['message', 'stages', 'state', 'warnings'])
      }),
    },
    {
      says: 'a stage has a name',
      shown: everyStage(({ name }) => typeof name === 'string'),
    },
    {
      says: 'a stage has a state',
      shown: everyStage(({ state }) => typeof state === 'string'),
    },
    {
      says: 'lastUpdated is in whole milliseconds since 1970',
      shown: [
        ...everyStage(({ lastUpdated }) => Number.isInteger(lastUpdated) && lastUpdated >= begin),
        [
          'also when a stage takes a fraction of a millisecond',
          () =>
            wholeConfiguration(
              ({ status }) => {
                const times = status.stages.flatMap(({ lastUpdated, startTime = 0 }) => [
                  lastUpdated,
                  startTime,
                ])
                expect(times.filter(time => !Number.isInteger(time))).toEqual([])
              },
              { stageMs: 333.3 },
            ),
        ],
      ],
    },
    {
      says: 'startTime as well; 0 if the stage has not started or does not apply, absent in the immediate response',
      shown: [
        ...everyStage((stage, moment) => {
          const { state, startTime, lastUpdated } = stage
          if (moment === 'immediate') return !('startTime' in stage)
          if (['not_started', 'not_applicable'].includes(state)) return startTime === 0
          return Number.isInteger(startTime) && begin <= Number(startTime) && Number(startTime) <= lastUpdated
        }),
        [
          'a record has four fields, three in the immediate response',
          () =>
            wholeConfiguration(({ status }, moment) => {
              const fields = status.stages.map(stage => Object.keys(stage).length)
              expect(new Set(fields)).toEqual(new Set([moment === 'immediate' ? 3 : 4]))
            }),
        ],
      ],
    },
    ...stages.map(stageSentence),
    {
      says: 'the immediate response spells the twelfth with a capital S, later ones with a small one',
      shown: [
        [
          'in the response to configure',
          holds({}, async ({ ask }) => {
            const { text } = await ask(configure())
            expect(text).toContain('"Usage Statistics"')
            expect(text).not.toContain('"Usage statistics"')
          }),
        ],
        [
          'at once after it and at the end',
          holds({ before: [configure()] }, async ({ ask, wait }) => {
            for (const elapsedMs of [0, longMs]) {
              wait(elapsedMs)
              const { text } = await ask(lookAtRoot)
              expect(text).toContain('"Usage statistics"')
              expect(text).not.toContain('"Usage Statistics"')
            }
          }),
        ],
      ],
    },
  ],
}
