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
  ['any text is accepted', accepts(stores(make('/any text')))],
  ['a missing value is rejected', refuses(stores(make(undefined)))],
  ['an empty value is rejected', refuses(stores(make('')))],
  ['a number is rejected', refuses(stores(make(1)))],
  ['null is rejected', refuses(stores(make(null)))],
]

export const dataStores: Section = {
  section: '2.6',
  title: 'registered data store entry',
  sentences: [
    {
      says: 'clientPath is the path of the clients',
      shown: [
        ...storeText(clientPath => store({ clientPath })),
        ['an empty list is accepted', accepts(stores())],
        ['two entries are accepted', accepts(stores(store(), store({ clientPath: '/data/more' })))],
        ['the second one is validated as well', refuses(stores(store(), store({ clientPath: '' })))],
        ['an entry that is a text is rejected', refuses(stores('/data/imagery'))],
        ['an unknown field is rejected', refuses(stores(store({ name: 'imagery' })))],
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
        ['a missing info is rejected', refuses(stores(store({ info: undefined })))],
        ['info that is a text is rejected', refuses(stores(store({ info: 'nfs.example.org' })))],
        ['an unknown field of info is rejected', refuses(stores(store({}, { port: '2049' })))],
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
