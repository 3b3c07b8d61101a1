import { accepts, refuses } from './cases.js'
import { configure, type Fields } from './requests.js'
import type { Case, Section } from './sentence.js'

const store = (changes: Fields = {}, info: Fields = {}) => ({
  clientPath: '/data/imagery',
  type: 'folder',
  info: {
    fileServerHost: 'nfs.example.org',
    fileServerType: 'NFS',
    fileServerPath: '/export/imagery',
    ...info,
  },
  ...changes,
})

const stores = (...entries: readonly unknown[]) => configure({ userManagedStores: JSON.stringify(entries) })

const storeText = (make: (value: unknown) => unknown): readonly Case[] => [
  ['any text is taken', accepts(stores(make('/any text')))],
  ['a missing one is refused', refuses(stores(make(undefined)))],
  ['an empty one is refused', refuses(stores(make('')))],
  ['a number is refused', refuses(stores(make(1)))],
  ['null is refused', refuses(stores(make(null)))],
]

/** The elements of `userManagedStores`. */
export const dataStores: Section = {
  section: '2.6',
  title: 'registered data store entry',
  sentences: [
    {
      says: 'clientPath is the path of the clients',
      shown: [
        ...storeText(clientPath => store({ clientPath })),
        ['no entry is taken', accepts(stores())],
        ['two entries are taken', accepts(stores(store(), store({ clientPath: '/data/more' })))],
        ['the second is looked at too', refuses(stores(store(), store({ clientPath: '' })))],
        ['an entry that is a text is refused', refuses(stores('/data/imagery'))],
        ['an unknown field is refused', refuses(stores(store({ name: 'imagery' })))],
      ],
    },
    {
      says: 'type is the kind of store',
      shown: storeText(type => store({ type })),
      notShown: 'which kinds there are',
    },
    {
      says: 'info.fileServerHost is a host name',
      shown: [
        ...storeText(fileServerHost => store({}, { fileServerHost })),
        ['no info is refused', refuses(stores(store({ info: undefined })))],
        ['info that is a text is refused', refuses(stores(store({ info: 'nfs.example.org' })))],
        ['an unknown field of info is refused', refuses(stores(store({}, { port: '2049' })))],
      ],
      notShown: 'whether the host is there: the emulator asks nobody',
    },
    {
      says: 'info.fileServerType is the type of file server',
      shown: storeText(fileServerType => store({}, { fileServerType })),
      notShown: 'which types there are',
    },
    {
      says: 'info.fileServerPath is the path there',
      shown: storeText(fileServerPath => store({}, { fileServerPath })),
      notShown: 'whether the path is there: the emulator asks nobody',
    },
  ],
}
