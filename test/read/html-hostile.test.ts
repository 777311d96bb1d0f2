/**
 * HTML made to cost time or memory, or to run code: each document costs in proportion to its length, and nothing runs.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '../../src/read/html/limits.ts'
import { markdownOfHtml } from '../../src/read/html.ts'
import { often } from '../support/soak.ts'

/** Factor by which the inputs are enlarged. */
const BIG = often('times as much hostile HTML', { usual: 1, soak: 4 })
/**
 * Limit in seconds of processor time: ten times what each document takes on a slow machine. Quadratic work takes
 * minutes.
 */
const SECONDS = 8 * BIG
const MB = 1_000_000
/** Elements within each other. */
const DEEP = 250_000 * BIG

/** Reads the HTML within the time limit, and keeps only the answer in memory. */
function read(html: string): ReturnType<typeof markdownOfHtml> {
  const before = process.cpuUsage()
  const found = markdownOfHtml(html)
  const { user, system } = process.cpuUsage(before)
  assert.ok((user + system) / 1e6 < SECONDS, `${(user + system) / 1e6} s`)
  return found
}

test('hundreds of thousands of nested elements are read; tags nested too deeply are ignored', () => {
  for (const name of ['div', 'b', 'ul', 'table']) {
    const { text, problems } = read(`<${name}>`.repeat(DEEP) + 'deep 1,234' + `</${name}>`.repeat(DEEP) + 'after')
    assert.match(text, /deep 1,234/, name)
    assert.match(text, /after/, name)
    assert.deepEqual(
      problems.map(({ reason }) => reason),
      [`elements are nested deeper than ${LIMITS.depth}`],
      name,
    )
  }
})

test('hundreds of thousands of nested tables with rows and cells keep their text', () => {
  const { text } = read(
    '<table><tr><td>'.repeat(DEEP) + 'deep 1,234' + '</td></tr></table>'.repeat(DEEP) + '<p>after</p>',
  )
  assert.match(text, /deep 1,234\n\nafter\n$/)
})

test('a line of tens of MB is written in parts without any loss', () => {
  const words = 'word '.repeat((20 * BIG * MB) / 5)
  assert.equal(read(`<p>${words}</p>`).text.length, words.length)
  const { text, problems } = read('word <b>x</b> '.repeat((7 * BIG * MB) / 14))
  assert.equal(text.match(/word/g)!.length, (7 * BIG * MB) / 14)
  assert.match(problems[0]!.reason, /longer than 1000000 characters/)
})

test('tables nested in tables become paragraphs and tables, in order', () => {
  const { text } = read(
    `<table><tr><td>one<table><tr><td>two<table>
      <tr><td></td><td>2024</td><td>2023</td></tr><tr><td>Sales</td><td>5</td><td>6</td></tr><tr><td>Costs</td><td>3</td><td>4</td></tr>
    </table>three</td></tr></table>four</td></tr></table>`,
  )
  assert.equal(
    text,
    'one\n\ntwo\n\n|  | 2024 | 2023 |\n| --- | ---: | ---: |\n| Sales | 5 | 6 |\n| Costs | 3 | 4 |\n\nthree\n\nfour\n',
  )
})

test('a rowspan of 10,000 and a colspan of a thousand million cost no time or memory', () => {
  const { text } = read(
    '<table><tr><td rowspan="10000">Fund</td><td colspan="1000000000">2024</td></tr><tr><td>1</td><td>2</td></tr></table>',
  )
  assert.match(text, /Fund/)
  assert.match(text, /\b1\b.*\b2\b/)
  const spans = '<tr><td rowspan="65534" colspan="999999999999">x</td><td>7</td></tr>'
  assert.equal(read(`<table>${spans.repeat(60_000 * BIG)}</table>`).text.match(/7/g)!.length, 60_000 * BIG)
})

test('a million cells, empty or not, are read in parts', () => {
  assert.equal(read(`<table><tr>${'<td>'.repeat(1_000_000 * BIG)}</table>`).text, '')
  const { text, problems } = read(`<table>${'<tr><td>x<td>1'.repeat(150_000 * BIG)}</table>`)
  assert.equal(text.match(/x/g)!.length, 150_000 * BIG)
  assert.match(problems[0]!.reason, /more than 100000 cells/)
  assert.equal(read(`<table><tr>${'<td>x'.repeat(150_000 * BIG)}</table>`).text.match(/x/g)!.length, 150_000 * BIG)
})

test('hundreds of thousands of unmatched end tags change nothing', () => {
  for (const tag of ['</p>', '</b>', '</td>', '</table>', '</x>', '</br>']) {
    const { text } = read(`<div><b><table><tr><td>one${tag.repeat(150_000 * BIG)}two`)
    assert.match(text, /one/, tag)
    assert.match(text, /two/, tag)
  }
})

test('unclosed and overlapping elements keep their text in order, and emphasis ends at its end tag', () => {
  assert.equal(read('<p>a <b>b <i>c</b> d</i> e</p>').text, 'a **b c** d e\n')
  assert.equal(read('<b><p>one</b> two<p>three').text, '**one** two\n\nthree\n')
  assert.equal(read('<ul><li>one<li>two<p>more</ul>after').text, '- one\n- two\n\n   more\n\nafter\n')
  assert.equal(
    read('<table><tr><td>one<td>two<tr><td>three<td>four</table>five').text,
    '|  |  |\n| --- | --- |\n| one | two |\n| three | four |\n\nfive\n',
  )
})

test('leaves out text hidden by CSS, whatever the method', () => {
  const hidden = [
    '<div style="display:none">no</div>',
    '<div style="DISPLAY : None !important">no</div>',
    '<div style="visibility:hidden">no</div>',
    '<p hidden>no</p>',
    '<span style="font-size:0">no</span>',
    '<div class="x gone">no</div>',
    '<div id="head">no</div>',
    '<table><tr style="display:none"><td>no</td></tr></table>',
    '<div style="display:none"><div style="display:block">no</div>no</div>',
    '<template>no</template><noscript>no</noscript><svg><text>no</text></svg><ix:header><b>no</b></ix:header>',
  ]
  const { text } = read(
    `<style>/* .seen { display:none } */ .gone, #head { color: red; display: none } @media print { .seen { display: none } }</style>
    ${hidden.join('\n')}<div class="seen">yes</div><div style="visibility:hidden">no<i style="visibility:visible">shown</i></div>`,
  )
  assert.equal(text, 'yes\n\n*shown*\n')
})

test('a text in a hundred thousand fonts and styles is one paragraph', () => {
  let html = '<p>'
  for (let n = 0; n < 100_000; n++)
    html += `<font face="f${n}" style="font-size:${8 + n / 10_000}pt;x${n}:y">w${n}</font> `
  const { text } = read(`${html}</p>`)
  assert.equal(text.match(/w\d+/g)!.length, 100_000)
  assert.equal(text.split('\n\n').length, 1)
})

test('a style attribute, a style sheet and an inline data: image of a megabyte or more are skipped', () => {
  assert.equal(read(`<p style="${'a:b;'.repeat(MB / 4)}">one</p>`).text, 'one\n')
  assert.equal(read(`<style>${'.a{b:c}'.repeat(MB)}</style><p>one</p>`).text, 'one\n')
  assert.equal(read(`<p>one <img src="data:image/png;base64,${'A'.repeat(10 * MB)}"></p>`).text, 'one ![image]()\n')
})

test('reports a document that ends within a tag', () => {
  for (const end of ['<td', '<td style="x', '</di']) {
    const { text, problems } = read(`<p>one</p>${end}`)
    assert.deepEqual([text, problems.at(-1)?.reason], ['one\n', 'the document ends within a tag'], end)
  }
  assert.deepEqual(read('<p>one</p>').problems, [])
})

test('the Markdown contains no tag, no entity, and no address that runs code', () => {
  const attacks = [
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '&lt;img src=x onerror=alert(1)&gt;',
    '&amp;lt;script&amp;gt;',
    '<a href="javascript:alert(1)">a</a>',
    '<a href=" java&#10;script:alert(1)">a</a>',
    '<a href="&#1;javascript:alert(1)">a</a>',
    '<a href="data:text/html,x">a</a>',
    '<a href="vbscript:x">a</a>',
    '<a href="file:///etc/passwd">a</a>',
    '<a href="https://a.example/&quot;&gt;&lt;b onclick=x)">a</a>',
    '[a](javascript:alert(1))',
    '[a]: javascript:alert(1)',
    '![a](javascript:alert(1))',
    '&lt;javascript:alert(1)&gt;',
    '<img src="javascript:alert(1)" alt="](javascript:alert(1))">',
    '<img src="https://a.example/track.gif?x=1" alt="x">',
    '<pre>&lt;script&gt;alert(1)&lt;/script&gt;\n```\n&lt;script&gt;</pre>',
    '<table><tr><td>a</td><td>&lt;script&gt; | b</td></tr><tr><td>`&lt;b&gt;`</td><td>c</td></tr></table>',
    '<p>``` <br>&lt;script&gt;</p>',
    '<plaintext><script>alert(1)</script>',
  ]
  for (const attack of attacks) {
    const { text } = read(`<p>before</p>${attack}`)
    assert.doesNotMatch(text, /<[a-z/!?]/i, attack)
    assert.doesNotMatch(text, /(?<!\\)\]\((?!https?:|mailto:|#|\)|[\w.-]+\))/i, attack)
    assert.doesNotMatch(text, /(?<!\\)\]\([^)]*script/i, attack)
    assert.doesNotMatch(text, /^\[[^\]]*\]:/m, attack)
  }
})

test('characters of the text that have a meaning in Markdown are escaped, and only those', () => {
  const cases: [html: string, markdown: string][] = [
    ['* Less than 1%', '\\* Less than 1%'],
    ['# of shares', '\\# of shares'],
    ['- 5 -', '- 5 -'],
    ['1. Business', '1\\. Business'],
    ['2024. A year', '2024\\. A year'],
    ['3.5 percent', '3.5 percent'],
    ['+ more', '\\+ more'],
    ['&gt; quoted', '\\> quoted'],
    ['a*b*c and _d_ and e_f', 'a\\*b\\*c and \\_d\\_ and e_f'],
    ['~~no~~ `code` \\n', '\\~\\~no\\~\\~ \\`code\\` \\\\n'],
    ['AT&amp;T and S&amp;P 500; R&amp;D', 'AT&T and S&P 500; R&D'],
    ['&amp;copy; &amp;#60;', '&amp;copy; &amp;#60;'],
    ['5 &lt; 6 and 7 &lt;8', '5 < 6 and 7 <8'],
    ['[Reserved]', '\\[Reserved]'],
    ['see [1] and [2](x)', 'see [1] and [2\\](x)'],
    ['Signed ______________', 'Signed \\_\\_\\_'],
    ['=====', '\\====='],
    ['| a |', '\\| a |'],
    ['wow! <a href="#a">b</a>', 'wow! [b](#a)'],
    ['wow!<a href="#a">b</a>', 'wow\\![b](#a)'],
  ]
  for (const [html, markdown] of cases) assert.equal(read(`<div>${html}</div>`).text, `${markdown}\n`, html)
})
