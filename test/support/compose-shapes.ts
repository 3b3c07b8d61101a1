import type { Shape } from './kubernetes-shapes.js'

/**
 * The few fields of the Compose specification that the example uses, in the forms that it uses: Compose refuses any other
 * field.
 */
const service: Shape = {
  image: 'text',
  restart: 'text',
  read_only: 'boolean',
  cap_drop: ['text'],
  security_opt: ['text'],
  tmpfs: ['text'],
  secrets: ['text'],
  networks: ['text'],
  depends_on: { database: { condition: 'text' } },
  environment: 'map',
  env_file: [{ path: 'text', required: 'boolean' }],
  volumes: ['text'],
  ports: ['text'],
  profiles: ['text'],
  entrypoint: ['text'],
  command: ['text'],
  working_dir: 'text',
  deploy: { replicas: 'number' },
  stop_grace_period: 'text',
  healthcheck: { test: ['text'], interval: 'text', timeout: 'text', start_period: 'text', retries: 'number' },
}

const secret = { file: 'text' } as const

export const composeShape: Shape = {
  name: 'text',
  services: {
    database: service,
    worker: service,
    page: service,
    landform: service,
    prometheus: service,
    grafana: service,
  },
  secrets: { 'database-password': secret, 'database-url': secret, 'page-token': secret },
  networks: { database: { internal: 'boolean' }, outside: {} },
  volumes: { database: {}, prometheus: {}, grafana: {} },
}
