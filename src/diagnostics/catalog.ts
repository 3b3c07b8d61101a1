import { administratorEntries } from './catalog/administrator.js'
import { cloudEntries } from './catalog/cloud.js'
import { clusterEntries } from './catalog/cluster.js'
import { extendsEntries } from './catalog/extends.js'
import { ignoreEntries } from './catalog/ignore.js'
import { kubernetesEntries } from './catalog/kubernetes.js'
import { licenseEntries } from './catalog/license.js'
import { manifestEntries } from './catalog/manifest.js'
import { placementEntries } from './catalog/placement.js'
import { policyEntries } from './catalog/policy.js'
import { propertiesEntries } from './catalog/properties.js'
import { referencesEntries } from './catalog/references.js'
import { scenarioEntries } from './catalog/scenario.js'
import { siteEntries } from './catalog/site.js'
import { stateEntries } from './catalog/state.js'
import { testEntries } from './catalog/test.js'
import { versionEntries } from './catalog/version.js'
import { volumeEntries } from './catalog/volume.js'
import { yamlEntries } from './catalog/yaml.js'

/** Every code with its wording. A code that is not in the catalog does not exist. */
export const catalog = {
  ...yamlEntries,
  ...manifestEntries,
  ...extendsEntries,
  ...ignoreEntries,
  ...versionEntries,
  ...siteEntries,
  ...stateEntries,
  ...licenseEntries,
  ...referencesEntries,
  ...administratorEntries,
  ...kubernetesEntries,
  ...volumeEntries,
  ...cloudEntries,
  ...placementEntries,
  ...clusterEntries,
  ...policyEntries,
  ...scenarioEntries,
  ...propertiesEntries,
  ...testEntries,
} as const
