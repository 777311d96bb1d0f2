/** Form 25-NSE as exchanges file it in XML: the removal of a class of securities from listing and registration. */
import { address, boolean, cik, date, fileNumber, nameWords, prefixed, table, text } from '../../declare/table.ts'
import { RULES } from './tables-words.ts'

export const removal = table(
  'form25.removal',
  'One row per filing: a class of an issuer’s securities that an exchange removes from listing',
  [],
  {
    submission_type: text('Form code in EDGAR’s index: 25-NSE or 25-NSE/A'),
    is_amendment: boolean('Whether the filing amends an earlier one, as its form code states'),
    cik: cik('CIK of the first filer in EDGAR’s header: the issuer').nullable(),
    exchange_cik: cik('CIK of the exchange', { named: 'exchange_name' }).nullable(),
    exchange_name: text('Name of the exchange').nullable(),
    issuer_cik: cik('CIK of the issuer', { named: 'issuer_name' }).nullable(),
    issuer_name: text('Name of the issuer').nullable(),
    name_key: text('Name of the issuer, normalized for comparison: accents stripped, lower case').nullable(),
    name_words: nameWords('Words by which a search finds the issuer’s name').nullable(),
    issuer_file_number: fileNumber('SEC file number of the issuer').nullable(),
    ...prefixed('issuer_', address({ of: 'the issuer' })),
    issuer_state_name: text('Name of the issuer’s state, province or country, as filed').nullable(),
    issuer_phone: text('Telephone of the issuer, as filed').nullable(),
    security_class: text('Description of the class of securities that is removed, as filed').nullable(),
    rule: text(
      'Paragraph of Rule 12d2-2 (17 CFR 240.12d2-2) for the removal: (a)(1) called for redemption, matured or retired; (a)(2) redeemed or paid at maturity; (a)(3) exchanged for other securities or cash; (a)(4) all rights extinguished; (b) removed by the exchange; (c) withdrawn by the issuer',
      { values: RULES },
    ).nullable(),
    signature: text('Name of the person who signed for the exchange').nullable(),
    signature_title: text('Title of the person who signed for the exchange').nullable(),
    signed: date('Day of the signature').nullable(),
  },
  // Each facet has an index; the index of the issuer also finds amendments.
  { indexes: ['using gin (name_words)', 'using gin (name_key public.gin_trgm_ops)'] },
)
