import { manifestVersions } from '../../contract/versions.js'
import { declare, flag, type Options, text } from '../command.js'
import {
  commonOptions,
  formatOption,
  scenarioOption,
  signInOption,
  siteFormats,
  siteOptions,
} from './options.js'

/** The argument of a one-shot operation that names a manifest; `--url` can replace it. */
const siteArgument = {
  name: 'file',
  optional: true,
  describe: 'Manifest of the site; - is standard input. Not needed with --url',
} as const

/** The options that both one-shot operations have after their own. */
const oneShotOptions = {
  token: text(
    'env:NAME|file:PATH',
    'Where the token is, instead of spec.site.token; files below the working folder',
  ),
  ...signInOption,
  'service-version': text(
    'VERSION',
    'Version of a site without a manifest, to refuse what it does not support',
    { suggests: manifestVersions },
  ),
  yes: flag('Do not ask for confirmation'),
  ...siteOptions,
  ...scenarioOption,
  ...formatOption(siteFormats),
  ...commonOptions,
} as const satisfies Options

const serviceArgument = {
  name: 'service',
  describe: 'Service whose webhooks are deleted, such as Roads.FeatureServer or Folder/Roads.FeatureServer',
} as const

export const exportSite = declare({
  name: 'export-site',
  describe: 'Export the site once, or only check the location',
  touches: 'sends',
  arguments: [siteArgument],
  options: {
    location: text('FOLDER', 'Folder, as the service sees it, to write to'),
    bucket: text('NAME', 'Write to a bucket; the folder then gets a pointer to it'),
    region: text('REGION', 'Region of the bucket'),
    container: text('URL', 'Write to a blob container'),
    'account-name': text('NAME', 'Storage account of the container'),
    'account-endpoint': text('ENDPOINT', 'Endpoint of that account'),
    'account-key': text('env:NAME|file:PATH', 'Where the key of that account is'),
    validate: flag('Only check whether the location can be written (from 11.1)'),
    'allow-warnings': flag('Treat an export with warnings as a success'),
    confirm: text('HOST', 'Confirm without a prompt, if this is the host of the site'),
    timeout: text('TIME', 'How long the export may take', { default: '60m' }),
    ...oneShotOptions,
  },
  examples: [
    ['export-site site.yaml --location /backups --validate', 'check the folder'],
    ['export-site --url URL --token env:LANDFORM_TOKEN --location /backups', 'ask, then export'],
    ['export-site site.yaml --location /backups --bucket NAME --region R --yes', 'into a bucket'],
  ],
})

export const deleteAllWebhooks = declare({
  name: 'webhooks delete-all',
  describe: 'Delete all webhooks of one service permanently',
  touches: 'sends',
  arguments: [serviceArgument, siteArgument],
  options: {
    confirm: text(
      'SERVICE@HOST',
      'Confirm without a prompt, if this is the service and the host; --yes is not enough',
    ),
    timeout: text('TIME', 'How long the deletion may take', { default: '2m' }),
    ...oneShotOptions,
    yes: flag('Not enough here: pass the target with --confirm'),
  },
  examples: [
    ['webhooks delete-all Roads.FeatureServer site.yaml', 'show the webhooks, ask, delete'],
    [
      'webhooks delete-all Roads.FeatureServer site.yaml --confirm Roads.FeatureServer@gis.example.org',
      'in a pipeline',
    ],
  ],
})
