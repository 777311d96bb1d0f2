/** Form 25-NSE as exchanges file it in XML: the removal of a class of securities from listing and registration. */
import { address, boolean, cik, date, fileNumber, nameWords, prefixed, table, text } from '../../declare/table.ts'
import { RULES } from './tables-words.ts'

export const removal = table(
  'form25.removal',
  'One row per filing: which class of securities of which issuer an exchange removes from listing',
  [],
  {
    submission_type: text('25-NSE or 25-NSE/A, by the index'),
    is_amendment: boolean('The filing amends an earlier one, by its form type'),
    cik: cik('CIK of the first filer in EDGAR’s header: the issuer').nullable(),
    exchange_cik: cik('CIK of the exchange', { named: 'exchange_name' }).nullable(),
    exchange_name: text('Name of the exchange').nullable(),
    issuer_cik: cik('CIK of the issuer', { named: 'issuer_name' }).nullable(),
    issuer_name: text('Name of the issuer').nullable(),
    name_key: text('Name of the issuer as it is compared: accents stripped, lower case').nullable(),
    name_words: nameWords('The words by which that name is found').nullable(),
    issuer_file_number: fileNumber('SEC file number of the issuer').nullable(),
    ...prefixed('issuer_', address({ of: 'the issuer' })),
    issuer_state_name: text('Name of that state, province or country, as filed').nullable(),
    issuer_phone: text('Telephone of the issuer, as filed').nullable(),
    security_class: text('Description of the class of securities, as filed').nullable(),
    rule: text(
      'Paragraph of Rule 12d2-2 (17 CFR 240.12d2-2): (a)(1) called for redemption, matured or retired; (a)(2) redeemed or paid at maturity; (a)(3) exchanged for other securities or cash; (a)(4) all rights extinguished; (b) removed by the exchange; (c) withdrawn by the issuer',
      { values: RULES },
    ).nullable(),
    signature: text('Name of the person who signed for the exchange').nullable(),
    signature_title: text('Title of that person').nullable(),
    signed: date('Day of the signature').nullable(),
  },
  // Each facet has an index; the index of the issuer also finds amendments.
  { indexes: ['using gin (name_words)', 'using gin (name_key public.gin_trgm_ops)'] },
)
