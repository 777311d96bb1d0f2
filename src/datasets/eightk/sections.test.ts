import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exhibitsIn } from './sections.ts'

test('every exhibit of a list is read, also if its number has no dot, has letters or marks, is indented or is in two cells', () => {
  const table = `(d) Exhibits

| Exhibit No. | Description |
| --- | --- |
| 3.1\\* | Bylaws of Specimen Harbor Inc. |
| 10.6+ | Supply Agreement, dated May 4, 2026 |
| 10.16a | First Amendment to the Supply Agreement |
| 23 | .1 | Consent of Marlow & Finch LLP |
| 99(b) | Balance sheet as of May 4, 2026 |
| 104 | Cover Page Interactive Data File |`
  assert.deepEqual(exhibitsIn(table, true), ['3.1', '10.6', '10.16a', '23.1', '99(b)', '104'])
  const lines = '   20.1     Statement to holders\n\n2.1Agreement and Plan of Merger\n\n99 Press release of May 4, 2026'
  assert.deepEqual(exhibitsIn(lines, true), ['20.1', '2.1', '99'])
})

test('numbers of statements, pages, sections and amounts in a list of exhibits are not exhibits', () => {
  const text = `(a) Financial statements.

1\\. Balance sheet of Specimen Harbor Inc.

(2) Notes to the balance sheet.

15(d) of the Exchange Act of 1934

12

| 2026 | 2025 |
| --- | --- |
| 104 | 99 |
| 31 | 28 |`
  assert.deepEqual(exhibitsIn(text, true), [])
  assert.deepEqual(exhibitsIn('| 104 | Cover Page Interactive Data File |', false), [], 'outside of a list')
})
