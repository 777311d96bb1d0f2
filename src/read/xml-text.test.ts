import assert from 'node:assert/strict'
import { test } from 'node:test'
import { XmlError } from './xml.ts'
import { markdownOfXml } from './xml-text.ts'

test('boxes that contain boxes become headings; other boxes show their content; empty boxes and boxes for EDGAR alone are left out', () => {
  const { text, headings } = markdownOfXml(`<?xml version="1.0"?>
    <p:edgarSubmission xmlns:p="urn:x">
      <headerData><ccc>XXXXXXXX</ccc></headerData>
      <formData>
        <issuerCIK>0000000001</issuerCIK><item4>First <![CDATA[*part*]]>.

        Second &lt;part&gt;.</item4>
        <nothing><here/></nothing>
        <person><name>Ann</name></person><person><name>Bob</name></person>
      </formData>
    </p:edgarSubmission>`)
  assert.equal(
    text,
    `# Edgar submission

## Form data

**Issuer CIK:** 0000000001

**Item 4:** First \\*part\\*.

Second \\<part>.

### Person

**Name:** Ann

### Person

**Name:** Bob
`,
  )
  assert.deepEqual(
    headings.map(({ level, text: of }) => [level, of]),
    [
      [1, 'Edgar submission'],
      [2, 'Form data'],
      [3, 'Person'],
      [3, 'Person'],
    ],
  )
  for (const { level, text: of, start } of headings) assert.ok(text.startsWith(`${'#'.repeat(level)} ${of}\n`, start))
})

test('refuses invalid XML, and documents that are larger or deeper than a form', () => {
  for (const bad of ['<a>', 'words', `<a>${'<b>1</b>'.repeat(60_000)}</a>`, '<a>'.repeat(5_000)]) {
    assert.throws(() => markdownOfXml(bad), XmlError)
  }
})
