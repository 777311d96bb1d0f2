import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effortOf } from '../../../../test/support/effort.ts'
import { hostOf, isSocialMedia } from './web.ts'

test('recognizes social media by their host, however the address is written', () => {
  for (const address of [
    'https://www.linkedin.com/showcase/a',
    'HTTP://X.COM/GOLDMANSACHS',
    'facebook.com/a',
    'HTTPS:/WWW.INSTAGRAM.COM/A',
    'https://uk.linkedin.com/in/a',
    'https://youtu.be/a?b=c',
    'https//www.linkedin.com/company/a',
    'https:\\\\www.facebook.com\\a',
    'https://https://twitter.com/a',
    'LinkedIn: https://www.linkedin.com/in/a',
    'www..linkedin.com/in/a',
    'linkedin.com.',
    ' https://www.tiktok.com/@a ',
    'https://medium.com/@firm',
    'https://firm.medium.com/',
    'https://www.threads.net/@a',
    'https://mp.weixin.qq.com/s/a',
    'https://www.wechat.com/a',
    'https://www.google.com/maps/place/a',
    'youtube.com:443/c/a',
  ]) {
    assert.equal(isSocialMedia(address), true, address)
  }
})

test('a web site whose name ends or begins like a social network is a web site', () => {
  for (const address of [
    'HTTP://WWW.GS.COM',
    'https://phoenix.com',
    'http://linkedin.com.example.org',
    'https://www.linkedinvestments.com',
    'notfacebook.com/x.com',
    'mytwitter.com',
    'www.xyz.com/facebook.com',
    'https://firm.example/?share=https://x.com/a',
    'example.com:8080/a',
    'https://sites.google.com/view/firm',
    'http://WWW.ARGOSGLOBAL.US.COM/',
    'https://my_firm.example.com',
    'https://zürich-vermögen.ch',
    'firm.example, linkedin.com/firm',
  ]) {
    assert.equal(isSocialMedia(address), false, address)
  }
})

test('text that is not a web address is neither a web site nor social media', () => {
  for (const address of [
    ...['N/A', 'n.a.', 'NONE', 'None.', 'info@firm.example', 'mailto:info@firm.example', 'LINKEDIN', '@goldmansachs'],
    ...['', ' ', '192.168.0.1', 'https://', '...', 'x'.repeat(5000), '. . .'],
  ]) {
    assert.equal(isSocialMedia(address), null, address.slice(0, 40))
    assert.equal(hostOf(address), null)
  }
})

test('an address gives the same host by the fast pattern and by the general method, which a leading blank forces', () => {
  const parts = {
    scheme: ['', 'http://', 'HTTPS://', 'https:/', 'http//', 'ftp://', 'https://https://', '//'],
    host: [
      'x.com',
      'WWW.Firm-1.Example',
      'a_b.c.io',
      'com',
      'x.c',
      'x.c0m',
      'www..x.com',
      'x.com.',
      '1.2.3.4',
      'x.c\u017f',
      'a@x.com',
    ],
    rest: ['', '/', '/A b', '?a=b', '#c', ':80/', ',x.org', ' x', '//y.com', ';a', '\\a', '/\u0338', '\n', '\u00a0'],
  }
  let hosts = 0
  for (const scheme of parts.scheme) {
    for (const host of parts.host) {
      for (const rest of parts.rest) {
        const address = scheme + host + rest
        assert.equal(hostOf(address), hostOf(` ${address}`), JSON.stringify(address))
        if (hostOf(address) !== null) hosts++
      }
    }
  }
  assert.ok(hosts > 300, `${hosts} hosts`)
})

test('the host of a hostile address is found within two seconds', async () => {
  const ms = await effortOf(() => {
    for (const address of [
      'abc://'.repeat(20_000),
      'abc: '.repeat(20_000),
      'a'.repeat(200_000),
      '.'.repeat(200_000),
      'a.'.repeat(100_000),
    ])
      hostOf(address)
  })
  assert.ok(ms < 2000, `${ms} ms`)
})
