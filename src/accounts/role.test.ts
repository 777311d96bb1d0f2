import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimOf, isOperator } from './role.ts'

test('a claim is looked up by its whole name; if no claim has this name, the dots in it lead into objects', () => {
  assert.deepEqual(claimOf({ realm_access: { roles: ['a'] } }, 'realm_access.roles'), ['a'])
  assert.equal(claimOf({ 'https://example.org/role': 'a' }, 'https://example.org/role'), 'a')
  assert.equal(claimOf({ a: { b: 1 }, 'a.b': 2 }, 'a.b'), 2)
  for (const claims of [{}, { a: null }, { a: 'text' }, { a: [{ b: 1 }] }])
    assert.equal(claimOf(claims, 'a.b'), undefined)
})

test('members that every object has are not claims', () => {
  for (const name of ['constructor', '__proto__', 'a.constructor', 'a.length'])
    assert.equal(claimOf({ a: { b: 1 } }, name), undefined, name)
})

test('a text that equals the value, or a list that contains it, gives the role; nothing else does', () => {
  const role = { claim: 'roles', value: 'admin' }
  for (const roles of ['admin', ['admin'], ['a', 'admin']]) assert.equal(isOperator({ roles }, role), true)
  for (const roles of [undefined, null, true, 1, 'administrator', 'a admin', [], [['admin']], { admin: true }])
    assert.equal(isOperator({ roles }, role), false, JSON.stringify(roles))
  assert.equal(isOperator({ roles: 'admin' }, null), false)
})
