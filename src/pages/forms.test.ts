import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localAddress } from './forms.ts'

test('after an HTML form is sent, the browser is led only to addresses of this service, and never to the pages for keys or sign-in', () => {
  for (const kept of ['/', '/company/AAPL?limit=5', '/keys-of-fees', '/sign-ins', '/search?q=%2Fkey'])
    assert.equal(localAddress(kept), kept)
  for (const refused of [
    null,
    '',
    'company',
    '//other.example',
    '/\\other.example',
    '/a b',
    '/\u0000',
    '/é',
    `/${'a'.repeat(4_000)}`,
  ])
    assert.equal(localAddress(refused), '/', String(refused).slice(0, 40))
  for (const form of ['/key', '/key?to=/', '/key/x', '/sign-in', '/sign-in/callback?code=1', '/sign-in#a'])
    assert.equal(localAddress(form), '/', form)
})
