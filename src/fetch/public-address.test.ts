import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertPublic, isPublic, type LookUp, PrivateAddress, publicLookUp } from './public-address.ts'

test('public addresses are accepted, and addresses with a special meaning are not, however they are written', () => {
  for (const address of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1', '::ffff:8.8.8.8']) {
    assert.ok(isPublic(address), address)
  }
  for (const address of [
    ...[
      '127.0.0.1',
      '127.255.255.254',
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '0.0.0.0',
      '0.1.2.3',
    ],
    ...[
      '169.254.169.254',
      '100.64.0.1',
      '192.0.0.8',
      '192.0.2.1',
      '198.18.0.1',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
    ],
    ...['::1', '::', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fdff::1', 'ff02::1', 'fec0::1', '2001:db8::1', '100::1'],
    // IPv6 addresses that contain an IPv4 address: mapped, compatible, NAT64, 6to4, Teredo.
    ...['::ffff:10.0.0.1', '::ffff:7f00:1', '::7f00:1', '::127.0.0.1', '64:ff9b::a00:1', '2002:a00:1::', '2001:0:1::'],
    ...['', 'localhost', '10.1', '999.1.1.1', '8.8.8.8 '],
  ]) {
    assert.ok(!isPublic(address), address)
  }
})

test('a host that is written as a private address is refused without a look-up', () => {
  // URLs parse 0x7f.1, 2130706433 and 017700000001 as 127.0.0.1.
  for (const given of ['http://0x7f.1/', 'http://2130706433/', 'http://017700000001/', 'http://[::ffff:10.0.0.1]/']) {
    assert.throws(() => assertPublic(new URL(given).hostname), PrivateAddress, given)
  }
  assertPublic('8.8.8.8')
  assertPublic('[2606:4700::1111]')
  assertPublic('hooks.example.com')
})

const answering =
  (...addresses: string[]): LookUp =>
  (_host, _options, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

function lookedUp(system: LookUp, all: boolean) {
  return new Promise<unknown[]>((resolve) => {
    publicLookUp(system)('hooks.example.com', { all }, (...given) => resolve(given))
  })
}

test('a name with at least one private address is refused, and no connection is tried', async () => {
  const [error] = await lookedUp(answering('8.8.8.8', '10.0.0.7'), true)
  assert.ok(error instanceof PrivateAddress)
  assert.equal(error.message, 'hooks.example.com leads to 10.0.0.7, which is not a public address')
  assert.deepEqual(await lookedUp(answering('8.8.8.8', '2606:4700::1111'), false), [null, '8.8.8.8', 4])
  assert.deepEqual(await lookedUp(answering('8.8.8.8'), true), [null, [{ address: '8.8.8.8', family: 4 }]])
  const failing: LookUp = (_host, _options, done) => done(Object.assign(new Error('none'), { code: 'ENOTFOUND' }), [])
  assert.equal(((await lookedUp(failing, true))[0] as NodeJS.ErrnoException).code, 'ENOTFOUND')
})
