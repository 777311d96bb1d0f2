import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Mark, textHtml } from './markdown.ts'

const shown = (markdown: string, options = {}) => textHtml(markdown, options).text.replaceAll('\n', '')

test('headings, emphasis, lists, tables, rules and links of a text become HTML', () => {
  assert.equal(shown('# Item 1. Business'), '<h2 id="t-item-1-business">Item 1. Business</h2>')
  assert.equal(shown('*a* **b** `c` ~~d~~'), '<p><em>a</em> <strong>b</strong> <code>c</code> <s>d</s></p>')
  assert.equal(shown('- a\n- b'), '<ul><li>a</li><li>b</li></ul>')
  assert.equal(shown('3. a\n4. b'), '<ol start="3"><li>a</li><li>b</li></ol>')
  assert.equal(
    shown('| a |  |\n| --- | --: |\n| 1 \\| 2 | **3** |\n|  | 4 |'),
    '<div class="wide" tabindex="0"><table><thead><tr><th scope="col">a</th><th scope="col" class="number"></th></tr></thead><tbody>' +
      '<tr><td>1 | 2</td><td class="number"><strong>3</strong></td></tr><tr><td></td><td class="number">4</td></tr></tbody></table></div>',
  )
  assert.equal(shown('a  \nb\n\n---\n\n```\nx | y\n```'), '<p>a<br>b</p><hr><pre tabindex="0"><code>x | y</code></pre>')
  assert.equal(
    shown('[SEC](https://www.sec.gov/x?a=1&b)'),
    '<p><a href="https://www.sec.gov/x?a=1&amp;b" rel="noopener noreferrer nofollow">SEC</a></p>',
  )
  assert.equal(
    shown('[Risks](#risk-factors) [gone](#gone)', {
      placeOf: (anchor: string) => (anchor === 'gone' ? null : '?at=7'),
    }),
    '<p><a href="?at=7">Risks</a> gone</p>',
  )
  assert.equal(shown('![A chart](g1.jpg)'), '<p><span class="picture">Picture: A chart</span></p>')
  assert.equal(shown('a\\*b &lt;c&gt; &amp; 1\\. x'), '<p>a*b &lt;c&gt; &amp; 1. x</p>')
})

test('no text becomes markup, a script or a link that is not https', () => {
  for (const hostile of [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<div>\n<b>x</b>\n</div>',
    '<!-- a --> <?x?> <![CDATA[x]]>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,1)',
    '[x](//evil.example)',
    '[x](/v1/keys)',
    '![x"onload="y](https://evil.example/a.png)',
    '[x](https://a.example/"onclick="y)',
    '<https://evil.example>',
    '[r]: javascript:x\n\n[r]',
    '&#60;script&#62;',
    '`<b>`',
    '| <b> | x |\n| --- | --- |\n| <i> | "y" |',
    '```<script>\n</script>\n```',
  ]) {
    const { text } = textHtml(hostile)
    const tags = Array.from(text.matchAll(/<\/?([a-z0-9]+)([^>]*)>/g), ([, name, rest]) => `${name}${rest}`)
    const allowed =
      /^(p|a href="https:\/\/a\.example\/[^"]*" rel="[a-z ]+"|a|span class="picture"|span|code|pre tabindex="0"|pre|div class="wide" tabindex="0"|div|table|thead|tbody|tr|th scope="col"|th|td|h[2-5])$/
    for (const tag of tags) assert.match(tag, allowed, `${hostile}: ${tag}`)
    assert.doesNotMatch(text, /href="(?!https:)/, hostile)
  }
})

test('a passage is marked exactly, across emphasis, cells and escapes, even if only a part of the text is shown', () => {
  const text = 'One **two three** four\\. Five &amp; six.'
  const at = (words: string): Mark => ({
    from: 100 + text.indexOf(words),
    to: 100 + text.indexOf(words) + words.length,
    kind: 'here',
    id: 'here',
  })
  assert.equal(
    shown(text, { offset: 100, marks: [at('three** four\\. Five &amp;')] }),
    '<p>One <strong>two <mark class="here" id="here">three</mark></strong><mark class="here"> four</mark><mark class="here">.</mark><mark class="here"> Five </mark><mark class="here">&amp;</mark> six.</p>',
  )
  const row = '| a | b |\n| --- | --- |\n| 1 | 2 |'
  const mark: Mark = { from: row.indexOf('| 1'), to: row.length, kind: 'fact' }
  assert.match(
    shown(row, { marks: [mark] }),
    /<td><mark class="fact">1<\/mark><\/td><td><mark class="fact">2<\/mark><\/td>/,
  )
  // Where marks overlap, a letter gets the most important mark.
  const nested: Mark[] = [
    { from: 0, to: 9, kind: 'fact', id: 'fact' },
    { from: 2, to: 4, kind: 'found' },
    { from: 3, to: 6, kind: 'here', id: 'here' },
  ]
  assert.equal(
    shown('abcdefghijk', { marks: nested }),
    '<p><mark class="fact" id="fact">ab</mark><mark class="found">c</mark><mark class="here" id="here">def</mark><mark class="fact">ghi</mark>jk</p>',
  )
  // If marks overlap or are outside the text, no letter is repeated or lost.
  const several: Mark[] = [
    { from: 0, to: 5, kind: 'found' },
    { from: 3, to: 9, kind: 'fact' },
    { from: 50, to: 60, kind: 'fact' },
  ]
  assert.equal(
    shown('abcdefghijk', { marks: several }),
    '<p><mark class="found">abcde</mark><mark class="fact">fghi</mark>jk</p>',
  )
})

test('hostile texts take time that grows only linearly with their length, and lose no letter', () => {
  const length = 60_000
  for (const piece of [
    '[a](',
    '[',
    ']',
    '*a_ ',
    '**a',
    '> ',
    '- ',
    '  - a\n',
    '`',
    '<a ',
    '![',
    '| a ',
    '&amp',
    '[a]: b\n',
    '\u202ea',
    '~~',
    '# ',
    '\n\n[a](b'.repeat(3),
    // A bar in a paragraph begins no cell.
    '[a](|',
    'a**b*|',
    '1. ',
    '+ ',
    ' ',
  ]) {
    const text = `a${piece.startsWith('1') || piece === '+ ' || piece === '- ' ? '\n\n' : ' '}${piece.repeat(Math.ceil(length / piece.length)).slice(0, length)}a`
    const begun = process.cpuUsage()
    const made = textHtml(text).text
    const { user, system } = process.cpuUsage(begun)
    assert.ok((user + system) / 1000 < 3_000, `${JSON.stringify(piece)}: ${(user + system) / 1000} ms`)
    assert.ok(made.length > 0)
  }
  assert.match(shown('[a]('.repeat(500)), /^<p class="typed">(\[a\]\(){500}<\/p>$/)
  assert.match(shown(`${'- '.repeat(200)}x`), /x/)
  assert.match(shown(`${'*a _b '.repeat(60)}${'_ *'.repeat(60)}`), /a/)
})
