/** Form X-17A-5 Part III: the cover of an annual report. The statements themselves are an attached PDF. */
import { address, boolean, cik, date, nameWords, prefixed, table, text, texts } from '../../declare/table.ts'

export const report = table(
  'x17a5.report',
  'One row per annual report of a broker-dealer or swap dealer: the facts of its cover',
  [],
  {
    submission_type: text('Form type: X-17A-5, or X-17A-5/A for an amendment', {
      values: ['X-17A-5', 'X-17A-5/A'],
    }),
    cik: cik('CIK of the filer: the broker-dealer or swap dealer', { named: 'broker_name' }).nullable(),
    file_numbers: texts(
      'SEC file numbers for which the cover requests confirming copies: 008- of a broker-dealer, 026- of a swap dealer; empty on most covers',
      { entity: 'file_number' },
    ),
    period_begin: date('First day of the reported fiscal year').nullable(),
    period_end: date('Last day of the reported fiscal year').nullable(),
    registrant_types: texts(
      'Types of registrant by the boxes checked: Broker-dealer, Security-based swap dealer, Major security-based swap participant',
    ),
    registrant_subtypes: texts(
      'Further boxes checked: OTC derivatives dealer, Filing pursuant to a Commission substituted compliance order',
    ),
    material_weakness: boolean(
      'True if, on the cover, the box for reports that disclose a material weakness is checked',
    ).nullable(),
    amendment_description: text('Description of the changes by the amendment, as filed').nullable(),
    broker_name: text('Part A: name of the broker-dealer or swap dealer'),
    name_key: text('Name of the broker-dealer or swap dealer for comparisons: lower case, without accents'),
    name_words: nameWords('Search words of the name of the broker-dealer or swap dealer (names.ts)'),
    ...address({ item: 'Part A', of: 'the principal place of business' }),
    contact_name: text('Part A: person to contact about the report').nullable(),
    contact_phone: text('Part A: telephone of the person to contact, as filed').nullable(),
    auditor: text('Part B: name of the independent public accountant').nullable(),
    auditor_key: text('Name of the accountant for comparisons: lower case, without accents').nullable(),
    auditor_words: nameWords('Search words of the name of the accountant (names.ts)').nullable(),
    auditor_type: text(
      'Part B: type of accountant: certified public accountant, or accountant not resident in the United States',
    ).nullable(),
    ...prefixed('auditor_', address({ item: 'Part B', of: 'the accountant' })),
    signer_name: text('Oath: name of the person who swears to the report').nullable(),
    signer_title: text('Oath: title of the person who swears to the report').nullable(),
    signer_entity: text('Oath: name of the firm on whose behalf the oath is made').nullable(),
    signature: text('Oath: signature, as filed').nullable(),
    signed: date('Oath: date stated in the oath, on most covers the last day of the fiscal year').nullable(),
    exceptions: text('Oath: exceptions to the oath, in the words of the signer').nullable(),
    notarized: boolean('Oath: true if it was made before a notary').nullable(),
  },
  { indexes: ['(cik, filed_date desc, accession desc)'] },
)
