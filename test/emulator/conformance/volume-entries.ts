import { accepts, refuses } from './cases.js'
import { components, configure, type Fields, volume, volumes, wrapped } from './requests.js'
import type { Case, Section } from './sentence.js'

const takesVolume = (what: string, changes: Fields): Case => [
  `${what} is accepted`,
  accepts(configure({ volumesConfig: volumes(changes) })),
]
const rejectsVolume = (what: string, changes: Fields): Case => [
  `${what} is rejected`,
  refuses(configure({ volumesConfig: volumes(changes) })),
]

/** Cases for a required text field of a volume. */
const volumeText = (name: string): readonly Case[] => [
  rejectsVolume('a missing one', { [name]: undefined }),
  rejectsVolume('an empty one', { [name]: '' }),
  rejectsVolume('a number', { [name]: 16 }),
  rejectsVolume('null', { [name]: null }),
]

const all = components.map(component => volume(component))

export const volumeEntries: Section = {
  section: '2.4',
  title: 'volume configuration entry',
  sentences: [
    {
      says: 'provisioningType is DYNAMIC in every entry',
      shown: [takesVolume('DYNAMIC', { provisioningType: 'DYNAMIC' }), ...volumeText('provisioningType')],
      notShown:
        'whether there are other values; another text is not refused, for public sources report STATIC',
    },
    {
      says: 'component is one of eight',
      shown: [
        ...components.flatMap((component, index): Case[] => [
          [
            `${component} in another place is accepted`,
            accepts(configure({ volumesConfig: wrapped([...all.slice(index), ...all.slice(0, index)]) })),
          ],
          [
            `${component.toLowerCase()} is rejected`,
            refuses(configure({ volumesConfig: wrapped(all.with(index, volume(component.toLowerCase()))) })),
          ],
        ]),
        ...volumeText('component'),
      ],
    },
    {
      says: 'size is a storage quantity with a unit suffix',
      shown: [
        ...['1Gi', '16Gi', '1.5Ti', '500M', '64G', '20480Mi'].map(size => takesVolume(size, { size })),
        ...['16', 'Gi', '16 Gi', '-16Gi', '16GiB', '1,5Gi', '0x10Gi'].map(size =>
          rejectsVolume(`"${size}"`, { size }),
        ),
        ...volumeText('size'),
      ],
    },
    {
      says: 'storageClass is the name of a storage class',
      shown: [
        takesVolume('managed-premium', { storageClass: 'managed-premium' }),
        ...volumeText('storageClass'),
        takesVolume('none, where no class provisions the volume', {
          provisioningType: 'STATIC',
          storageClass: undefined,
        }),
      ],
      notShown:
        'whether the class exists: there is no cluster behind the emulator; and whether a volume that no class provisions names one, so it may lack it',
    },
    {
      says: 'labels are texts by name, among them a tier and an app label',
      shown: [
        takesVolume('a tier and an app label', { labels: { tier: 'storage', app: 'postgres' } }),
        takesVolume('a third one beside them', {
          labels: { tier: 'a', app: 'b', 'example.org/team': 'gis' },
        }),
        rejectsVolume('a missing object', { labels: undefined }),
        rejectsVolume('null', { labels: null }),
        rejectsVolume('an array', { labels: ['tier'] }),
        rejectsVolume('a text', { labels: 'tier=storage' }),
        rejectsVolume('a label that is a number', { labels: { tier: 1 } }),
        rejectsVolume('a label in a label', { labels: { tier: { name: 'storage' } } }),
      ],
      notShown: 'the keys of the two labels, so an entry without them is not refused',
    },
    {
      says: 'there are eight volumes, one for each component',
      shown: [
        ['eight are accepted', accepts(configure({ volumesConfig: wrapped(all) }))],
        ...components.flatMap((component, index): Case[] => [
          [
            `all but ${component} are rejected`,
            refuses(configure({ volumesConfig: wrapped(all.toSpliced(index, 1)) })),
          ],
          [
            `${component} twice is rejected`,
            refuses(configure({ volumesConfig: wrapped([...all, volume(component)]) })),
          ],
        ]),
        [
          'the same one eight times is rejected',
          refuses(configure({ volumesConfig: wrapped(all.map(() => volume('BLOB'))) })),
        ],
        ['an empty list is rejected', refuses(configure({ volumesConfig: wrapped([]) }))],
        [
          'an entry that is not an object is rejected',
          refuses(configure({ volumesConfig: wrapped([...all.slice(1), 'BLOB']) })),
        ],
        ['an unknown field is rejected', refuses(configure({ volumesConfig: volumes({ replicas: 2 }) }))],
      ],
    },
  ],
}
