/** Tests how the parties in EDGAR's header decide the issuer of a text filing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filerWith } from '../../../test/support/filing-made.ts'
import type { HeaderFiler } from '../../read/sgml/header.ts'
import { readText, textRows } from './filing-text.ts'

const filer = (role: string, cik: string, name: string) => filerWith({ role, cik, name })
const markdown =
  'Schedule 13D\n\nSPECIMEN BREWING CORP\n\n(Name of Issuer)\n\nCommon Stock\n\n(Title of Class of Securities)'

function report(...filers: HeaderFiler[]) {
  const filing = { form: 'SC 13D', filedDate: '1994-02-14', filers, markdown, sequence: 1 }
  const [, row] = [...textRows(filing, readText(filing))].find(([table]) => table === 'report')!
  const { issuer_name, issuer_cik, left_out } = row as Record<string, unknown>
  return { issuer_name, issuer_cik, left_out }
}

test('if the header names the filer itself as the subject, the filer is not taken for the issuer', () => {
  const by = filer('filed by', '0000000002', 'SPECIMEN CRANES INC')
  assert.deepEqual(report(filer('subject company', '0000000001', 'SPECIMEN BREWING CORP'), by), {
    issuer_name: 'SPECIMEN BREWING CORP',
    issuer_cik: '0000000001',
    left_out: [],
  })
  assert.deepEqual(report(filer('subject company', '0000000002', 'SPECIMEN CRANES INC'), by), {
    issuer_name: null,
    issuer_cik: null,
    left_out: ['issuer_name'],
  })
})
