import { exportVariants, format, type Parameter } from './parameter.js'
import { findIntroduction } from './versions.js'

/** The parameters of `exportSite` in its three variants. Service §4.1. */
export const exportSiteParameters = [
  {
    name: 'location',
    type: 'string',
    encoding: 'text',
    required: 'not-shown',
    since: findIntroduction('exportSite'),
    section: '4.1',
    variants: exportVariants,
    meaning: 'Folder that the service can write to; with a bucket, the file in it only refers to the bucket.',
  },
  {
    name: 'validate',
    type: 'boolean text',
    encoding: 'text',
    required: 'not-shown',
    since: findIntroduction('exportSite validate'),
    section: '4.1',
    variants: exportVariants,
    meaning: 'Only validates that the location, and the bucket or container, is accessible; exports nothing.',
  },
  {
    name: 'backupObjectStore',
    type: 'string',
    encoding: 'text',
    required: 'not-shown',
    since: findIntroduction('exportSite'),
    section: '4.1',
    variants: ['bucket', 'container'],
    meaning: 'Name of the backup bucket, or URL of the backup container.',
  },
  {
    name: 'backupObjectStoreRegion',
    type: 'string',
    encoding: 'text',
    required: 'not-shown',
    since: findIntroduction('exportSite'),
    section: '4.1',
    variants: ['bucket'],
    meaning: 'Region of the backup bucket.',
  },
  {
    name: 'backupObjectStoreConnectionStr',
    type: 'JSON object',
    encoding: 'json',
    required: 'not-shown',
    since: findIntroduction('exportSite'),
    section: '4.1',
    variants: ['container'],
    secret: true,
    meaning: 'Connection to the backup container.',
  },
  { ...format('4.1', findIntroduction('exportSite')), variants: exportVariants },
] as const satisfies readonly Parameter[]

/** The fields of `backupObjectStoreConnectionStr`. Service §4.1. */
export const connectionStringFields = ['accountName', 'accountKey', 'accountEndpoint'] as const
