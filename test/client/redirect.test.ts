import { parseRedirect } from '../../src/client/answer-headers.js'
import type { Redirect } from '../../src/client/failure.js'

const asked = 'https://gis.example.org/portal/admin?f=json'

test.each<[string | undefined, Redirect]>([
  [undefined, {}],
  ['http://[', {}],
  ['/portal/admin/', { to: 'slash', target: '/portal/admin/' }],
  ['admin/?f=json', { to: 'slash', target: '/portal/admin/' }],
  ['https://gis.example.org/portal/admin/#x', { to: 'slash', target: '/portal/admin/' }],
  [
    'https://www.example.org/portal/admin/',
    { to: 'elsewhere', target: 'https://www.example.org/portal/admin/' },
  ],
  ['/portal/admin//', { to: 'elsewhere', target: '/portal/admin//' }],
  ['/login', { to: 'sign-in', target: '/login' }],
  ['/portal/sign-in?token=S3cret', { to: 'sign-in', target: '/portal/sign-in' }],
  ['https://a:b@login.example.org/x', { to: 'sign-in', target: 'https://login.example.org/x' }],
  ['https://idp.example.org/adfs/ls', { to: 'sign-in', target: 'https://idp.example.org/adfs/ls' }],
  ['/blogging', { to: 'elsewhere', target: '/blogging' }],
  ['/portal/authorized', { to: 'elsewhere', target: '/portal/authorized' }],
])('a redirect to %s', (location, told) => {
  expect(parseRedirect(asked, location)).toEqual(told)
})
