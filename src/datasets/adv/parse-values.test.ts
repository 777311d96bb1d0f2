import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cikOf, crdOf, isSocialMedia, whole } from './parse-values.ts'

test('social media are told by their host, however the address is written', () => {
  for (const address of [
    'https://www.linkedin.com/showcase/a',
    'HTTP://X.COM/GOLDMANSACHS',
    'facebook.com/a',
    'HTTPS:/WWW.INSTAGRAM.COM/A',
    'https://uk.linkedin.com/in/a',
    'https://youtu.be/a?b=c',
  ]) {
    assert.equal(isSocialMedia(address), true, address)
  }
})

test('a web site whose name ends or begins like a social network is a web site', () => {
  for (const address of [
    'HTTP://WWW.GS.COM',
    'https://phoenix.com',
    'http://linkedin.com.example.org',
    'notfacebook.com/x.com',
    'www.xyz.com/facebook.com',
    'example.com:8080/a',
  ]) {
    assert.equal(isSocialMedia(address), false, address)
  }
})

test('what is no web address is neither', () => {
  for (const address of ['N/A', 'NONE', 'info@firm.example', 'LINKEDIN', '@goldmansachs', '']) {
    assert.equal(isSocialMedia(address), null, address)
  }
})

test('numbers of firms are digits; what is none is told', () => {
  const told: unknown[] = []
  const tell = (value: string, reason: string) => told.push([value, reason])
  assert.deepEqual([crdOf('000361', tell), crdOf('0', tell), crdOf(null, tell)], ['361', null, null])
  assert.deepEqual([cikOf('769993', tell), cikOf('0000000000', tell), cikOf(null, tell)], ['0000769993', null, null])
  assert.deepEqual(told, [])
  assert.deepEqual([crdOf('801-1', tell), cikOf('12345678901', tell)], [null, null])
  assert.deepEqual(told, [
    ['801-1', 'is no CRD number'],
    ['12345678901', 'is no CIK'],
  ])
})

test('a count that its column cannot hold is null and told', () => {
  const told: string[] = []
  assert.equal(
    whole(2_147_483_647, (value) => told.push(value)),
    2_147_483_647,
  )
  assert.equal(
    whole(2_147_483_648, (value) => told.push(value)),
    null,
  )
  assert.deepEqual(told, ['2147483648'])
})
