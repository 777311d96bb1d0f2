/** Form D, notice of an exempt offering: its 16 items. Dollar amounts are whole US dollars. */
import {
  accession,
  address,
  bigint,
  boolean,
  cik,
  date,
  firm,
  integer,
  nameWords,
  table,
  text,
  texts,
  usd,
} from '../../declare/table.ts'

/** An address that also has its state in words. */
function addressInWords(item: string) {
  const { zip, ...place } = address({ item })
  return { ...place, state_name: text(`${item}: name of the state, province or country`).nullable(), zip }
}

export const offering = table(
  'formd.offering',
  'One row per filing: the offering, with name and address of its primary issuer',
  [],
  {
    submission_type: text('D for a new notice, D/A for an amendment', { values: ['D', 'D/A'] }),
    is_amendment: boolean('Item 7: the notice amends an earlier one').nullable(),
    previous_accession: accession(
      'Item 7: accession of the notice that this notice amends, as the filer gave it',
    ).nullable(),
    entity_name: text('Item 1: name of the primary issuer'),
    name_key: text('Name of the primary issuer, normalized for comparison: accents stripped, lower case'),
    name_words: nameWords('Words by which a search finds the issuer’s name: names.ts'),
    cik: cik('CIK of the primary issuer', { named: 'entity_name' }).nullable(),
    ...address({ item: 'Item 2', of: 'the primary issuer' }),
    over_100_issuers: boolean('Items 1 and 2: there are more issuers than the form can name'),
    over_100_persons: boolean('Item 3: there are more related persons than the form can name'),
    industry: text('Item 4: industry group').nullable(),
    fund_type: text('Item 4: kind of pooled investment fund; null for other industries').nullable(),
    is_40_act: boolean('Item 4: the fund is registered under the Investment Company Act of 1940').nullable(),
    revenue_range: text('Item 5: range of revenues, in the words of the form').nullable(),
    net_asset_value_range: text('Item 5: range of aggregate net asset value, in the words of the form').nullable(),
    exemptions: texts(
      'Item 6: exemptions and exclusions claimed, as EDGAR codes: 06b for Rule 506(b), 3C.1 for Section 3(c)(1)',
    ),
    first_sale: date('Item 7: date of the first sale; null if it is yet to occur').nullable(),
    first_sale_yet_to_occur: boolean('Item 7: no sale has been made yet'),
    more_than_one_year: boolean('Item 8: the offering is to last more than one year').nullable(),
    security_types: texts(
      'Item 9: types of securities offered: equity, debt, option, security_to_be_acquired, pooled_fund, tenant_in_common, mineral_property, other',
      {
        values: [
          'equity',
          'debt',
          'option',
          'security_to_be_acquired',
          'pooled_fund',
          'tenant_in_common',
          'mineral_property',
          'other',
        ],
      },
    ),
    other_security: text('Item 9: description of the type of security, if other is ticked').nullable(),
    business_combination: boolean(
      'Item 10: the offering is made in connection with a merger, acquisition or exchange offer',
    ).nullable(),
    business_combination_note: text('Item 10: clarification').nullable(),
    minimum_investment: usd('Item 11: minimum investment accepted from an outside investor, US dollars').nullable(),
    over_100_recipients: boolean('Item 12: there are more recipients of sales compensation than the form can name'),
    total_offered: usd('Item 13: total offering amount, US dollars; null when indefinite').nullable(),
    total_offered_indefinite: boolean('Item 13: the total offering amount is indefinite'),
    total_sold: usd('Item 13: amount sold since the offering began, US dollars; an amendment restates it').nullable(),
    total_remaining: usd('Item 13: amount remaining to be sold, US dollars; null when indefinite').nullable(),
    total_remaining_indefinite: boolean('Item 13: the amount remaining to be sold is indefinite'),
    sales_note: text('Item 13: clarification').nullable(),
    has_non_accredited: boolean(
      'Item 14: securities were sold, or may be sold, to investors who are not accredited',
    ).nullable(),
    non_accredited_count: bigint(
      'Item 14: number of investors so far who are not accredited; the form allows twelve digits',
      {
        unit: 'count',
      },
    ).nullable(),
    investor_count: bigint('Item 14: number of investors so far, accredited or not', { unit: 'count' }).nullable(),
    sales_commissions: usd('Item 15: sales commissions, US dollars').nullable(),
    sales_commissions_estimated: boolean('Item 15: the sales commissions are an estimate'),
    finders_fees: usd("Item 15: finders' fees, US dollars").nullable(),
    finders_fees_estimated: boolean("Item 15: the finders' fees are an estimate"),
    commissions_note: text('Item 15: clarification').nullable(),
    insider_proceeds: usd('Item 16: gross proceeds paid to persons named in Item 3, US dollars').nullable(),
    insider_proceeds_estimated: boolean('Item 16: the proceeds paid to persons named in Item 3 are an estimate'),
    proceeds_note: text('Item 16: clarification').nullable(),
    authorized_representative: boolean('Signature: one person signs for all issuers').nullable(),
  },
  {
    indexes: [
      '(cik, filed_date desc, accession desc)',
      '(previous_accession) where previous_accession is not null',
      // For searches by the words of a name, or by text within a name.
      'using gin (name_words)',
      'using gin (name_key public.gin_trgm_ops)',
      // For the orders of /feed by name, amount and state, and its filter by industry, which no facet's index serves.
      '(name_key, filed_date desc, accession desc)',
      '(total_offered desc nulls last, filed_date desc, accession desc)',
      '(state desc nulls last, filed_date desc, accession desc)',
      '(lower(industry), filed_date desc, accession desc)',
    ],
  },
)

/** One row for each issuer: position 0 is the primary issuer, co-issuers follow as filed. */
export const issuer = table(
  'formd.issuer',
  'One row per issuer of a notice, the primary issuer first',
  ['position'],
  {
    position: integer('0 for the primary issuer, then in the order of the form'),
    cik: cik('CIK of the issuer', { named: 'entity_name' }).nullable(),
    entity_name: text('Item 1: name of the issuer').nullable(),
    ...addressInWords('Item 2'),
    phone: text('Item 2: telephone, as filed').nullable(),
    jurisdiction: text('Item 1: jurisdiction of incorporation or organization, as filed').nullable(),
    entity_type: text('Item 1: type of entity').nullable(),
    entity_type_other: text('Item 1: description of a type of entity that is not in the form’s list').nullable(),
    incorporated: text(
      'Item 1: time of incorporation or organization: within_five_years, over_five_years or yet_to_be_formed',
      {
        values: ['within_five_years', 'over_five_years', 'yet_to_be_formed'],
      },
    ).nullable(),
    year_incorporated: integer('Item 1: year of incorporation; null unless it is within five years').nullable(),
    previous_names: texts('Item 1: previous names of the issuer, as filed'),
    edgar_previous_names: texts('Item 1: previous names of the issuer that EDGAR has on record'),
  },
  { indexes: ['(cik, accession)'] },
)

export const person = table(
  'formd.person',
  'One row per related person: an executive officer, director or promoter (Item 3)',
  ['position'],
  {
    position: integer('Order in the form, from 0'),
    first_name: text('Item 3: first name; null for an entity').nullable(),
    middle_name: text('Item 3: middle name').nullable(),
    last_name: text('Item 3: last name, or the name of an entity').nullable(),
    ...addressInWords('Item 3'),
    relationships: texts('Item 3: relationships to the issuer: Executive Officer, Director, Promoter'),
    relationship_note: text('Item 3: clarification').nullable(),
  },
)

export const recipient = table(
  'formd.recipient',
  'One row per recipient of sales compensation (Item 12)',
  ['position'],
  {
    position: integer('Order in the form, from 0'),
    name: text('Item 12: name of the recipient of sales compensation').nullable(),
    crd: firm('Item 12: CRD number of the recipient').nullable(),
    associated_bd_name: text('Item 12: name of the associated broker or dealer').nullable(),
    associated_bd_crd: firm('Item 12: CRD number of the associated broker or dealer').nullable(),
    ...addressInWords('Item 12'),
    all_states: boolean('Item 12: investors are solicited in all states'),
    states: texts('Item 12: states of solicitation as EDGAR codes; empty if all_states is true'),
    foreign_solicitation: boolean('Item 12: investors are solicited outside the United States').nullable(),
  },
  { indexes: ['(crd) where crd is not null', '(associated_bd_crd) where associated_bd_crd is not null'] },
)

export const signature = table('formd.signature', 'One row per signature of a notice', ['position'], {
  position: integer('Order in the form, from 0'),
  issuer_name: text('Signature: name of the issuer on whose behalf the notice is signed').nullable(),
  signature: text('Signature, as filed').nullable(),
  signer_name: text('Signature: name of the signer').nullable(),
  title: text('Signature: title of the signer').nullable(),
  signed: date('Signature: date of the signature').nullable(),
})
