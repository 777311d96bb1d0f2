/** Form X-17A-5 Part III: the cover of an annual report. The statements themselves are an attached PDF. */
import { address, boolean, cik, date, nameWords, prefixed, table, text, texts } from '../../declare/table.ts'

export const report = table(
  'x17a5.report',
  'One row per filing: what the cover says',
  [],
  {
    submission_type: text('X-17A-5 for a report, X-17A-5/A for an amendment of one', {
      values: ['X-17A-5', 'X-17A-5/A'],
    }),
    cik: cik('CIK of the filer: the broker-dealer or swap dealer', { named: 'broker_name' }).nullable(),
    file_numbers: texts(
      'SEC file numbers that the cover asks confirming copies for: 008- as a broker-dealer, 026- as a swap dealer; mostly none',
      { entity: 'file_number' },
    ),
    period_begin: date('First day of the fiscal year reported on').nullable(),
    period_end: date('Last day of the fiscal year reported on').nullable(),
    registrant_types: texts(
      'Boxes ticked: Broker-dealer, Security-based swap dealer, Major security-based swap participant',
    ),
    registrant_subtypes: texts(
      'Boxes ticked: OTC derivatives dealer, Filing pursuant to a Commission substituted compliance order',
    ),
    material_weakness: boolean('The box of the cover: the report discloses a material weakness').nullable(),
    amendment_description: text('What the amendment changes, in the words of the filer').nullable(),
    broker_name: text('Part A: name of the broker-dealer or swap dealer'),
    name_key: text('Name as it is compared: accents stripped, lower case'),
    name_words: nameWords('The words by which that name is found: names.ts'),
    ...address({ item: 'Part A', of: 'the principal place of business' }),
    contact_name: text('Part A: person to contact about the report').nullable(),
    contact_phone: text('Part A: telephone of that person, as filed').nullable(),
    auditor: text('Part B: independent public accountant').nullable(),
    auditor_key: text('Name of the accountant as it is compared: accents stripped, lower case').nullable(),
    auditor_words: nameWords('The words by which that name is found: names.ts').nullable(),
    auditor_type: text('Part B: certified public accountant, or one not resident in the United States').nullable(),
    ...prefixed('auditor_', address({ item: 'Part B', of: 'the accountant' })),
    signer_name: text('Oath: person who swears to the report').nullable(),
    signer_title: text('Oath: title of that person').nullable(),
    signer_entity: text('Oath: firm sworn for').nullable(),
    signature: text('Oath: as signed').nullable(),
    signed: date('Oath: date it names, which is mostly the last day of the fiscal year').nullable(),
    exceptions: text('Oath: exceptions to it, in the words of the signer').nullable(),
    notarized: boolean('Oath: it was made before a notary').nullable(),
  },
  { indexes: ['(cik, filed_date desc, accession desc)'] },
)
