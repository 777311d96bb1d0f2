/** Form 144 as filed in XML since 2023-04-13: securities of an issuer that an affiliate proposes to sell. */
import {
  accession,
  address,
  boolean,
  cik,
  date,
  fileNumber,
  integer,
  nameWords,
  prefixed,
  shares,
  table,
  text,
  texts,
  usd,
} from '../../declare/table.ts'

export const notice = table(
  'form144.notice',
  'One row per filing: the seller and the issuer of the securities to be sold',
  [],
  {
    submission_type: text('Form code: 144 or 144/A'),
    is_amendment: boolean('Whether the filing amends an earlier one, as its form code states'),
    source: text(
      'Source of the row: xml, or text if the filing has no XML (before 2023-04-13). In a row from text, only the form code and cik are known',
      {
        values: ['xml', 'text'],
      },
    ),
    previous_accession: accession('Accession number of the filing that this amendment amends').nullable(),
    cik: cik('CIK of the first filer in EDGAR’s header').nullable(),
    seller_cik: cik('CIK under which the notice was filed: of the seller, or of a person who files for the seller', {
      named: null,
    }).nullable(),
    seller_name: text('Item 2(a): person for whose account the securities are to be sold').nullable(),
    seller_key: text('Name of the seller, normalized for comparison: accents stripped, lower case').nullable(),
    seller_words: nameWords('Words by which a search finds the seller’s name').nullable(),
    relationships: texts('Item 2(b): relationships to the issuer, as filed: Officer, Director, Affiliate'),
    issuer_cik: cik('Item 1: CIK of the issuer', { named: 'issuer_name' }).nullable(),
    issuer_name: text('Item 1(a): name of the issuer').nullable(),
    name_key: text('Name of the issuer, normalized for comparison: accents stripped, lower case').nullable(),
    name_words: nameWords('Words by which a search finds the issuer’s name: names.ts').nullable(),
    issuer_file_number: fileNumber('Item 1(c): SEC file number of the issuer').nullable(),
    ...prefixed('issuer_', address({ item: 'Item 1(d)', of: 'the issuer' })),
    issuer_phone: text('Item 1(e): telephone of the issuer, as filed').nullable(),
    no_past_sales: boolean('Table II: nothing was sold in the past three months').nullable(),
    remarks: text('Remarks of the filer').nullable(),
    notice_date: date('Day of the notice').nullable(),
    signature: text('Signature, as filed').nullable(),
  },
  {
    indexes: [
      '(previous_accession) where previous_accession is not null',
      'using gin (name_words)',
      'using gin (name_key public.gin_trgm_ops)',
      'using gin (seller_words)',
      'using gin (seller_key public.gin_trgm_ops)',
    ],
  },
)

export const sale = table('form144.sale', 'One row per proposed sale (Item 3)', ['position'], {
  position: integer('Order in the filing, from 0'),
  security_class: text('Item 3(a): title of the class of securities to be sold').nullable(),
  broker_name: text('Item 3(b): name of the broker or market maker').nullable(),
  ...prefixed('broker_', address({ item: 'Item 3(b)', of: 'the broker' })),
  units: shares('Item 3(c): shares or other units to be sold').nullable(),
  market_value: usd('Item 3(d): aggregate market value of the securities to be sold').nullable(),
  units_outstanding: shares('Item 3(e): shares or other units outstanding').nullable(),
  sale_date: date('Item 3(f): approximate day of sale').nullable(),
  exchange: text('Item 3(g): securities exchange on which the securities are to be sold').nullable(),
})

export const acquisition = table(
  'form144.acquisition',
  'One row per acquisition of the securities to be sold (Table I)',
  ['position'],
  {
    position: integer('Order in the filing, from 0'),
    security_class: text('Title of the class of securities').nullable(),
    acquired: date('Day on which the securities were acquired').nullable(),
    nature: text('Nature of the acquisition').nullable(),
    acquired_from: text('Person from whom the securities were acquired').nullable(),
    is_gift: boolean('Whether the securities were a gift').nullable(),
    donor_acquired: date('Day on which the donor of a gift acquired the securities').nullable(),
    units: shares('Shares or other units acquired').nullable(),
    paid: date('Day on which the securities were paid for').nullable(),
    payment: text('Nature of the payment').nullable(),
  },
)

export const past_sale = table(
  'form144.past_sale',
  'One row per sale of the past three months (Table II)',
  ['position'],
  {
    position: integer('Order in the filing, from 0'),
    seller_name: text('Name of the seller').nullable(),
    ...prefixed('seller_', address({ of: 'the seller' })),
    security_class: text('Title of the class of securities').nullable(),
    sold: date('Day of sale').nullable(),
    units: shares('Shares or other units sold').nullable(),
    proceeds: usd('Gross proceeds of the sale').nullable(),
  },
)

export const plan = table('form144.plan', 'One row per plan or instruction under Rule 10b5-1', ['position'], {
  position: integer('Order in the filing, from 0'),
  adopted: date('Day on which the plan was adopted or the instruction given').nullable(),
})
