/** The holdings of Destiny Tech100, for tests of private companies. */

/** Accession of the fund's NPORT-P for 31 March 2026. */
export const DESTINY = '0000894189-26-016628'

/**
 * Typed by hand from the report: the company of each of the 45 private holdings, named as a reader of the report would
 * name it, with the beginnings of the holdings' names. The other three of the report's 48 lines are listed on an
 * exchange.
 */
export const HELD: Record<string, readonly string[]> = {
  SpaceX: ['MWAM VC SpaceX-II', 'Snowpoint Growth 2.6', 'DXYZ SpaceX I LLC'],
  OpenAI: ['DXYZ OAI I LLC', 'Goanna Capital 26E'],
  'Stripe, Inc.': ['Fund FG-RTA'],
  'Plaid, Inc.': ['Fund FG-TQY'],
  'Anthropic PBC.': ['Magnitude ANC III'],
  'Databricks, Inc.': ['MCTC Investments', 'DA-1125 Gaingels'],
  'Impossible Foods, Inc.': ['Khosla Ventures IFSPV II', 'Impossible Foods, Inc. - Series A'],
  'Astranis Space Technologies Corp.': ['Astranis Space Technologies', 'Snowpoint Growth 2.7'],
  'Axiom Space, Inc.': ['Axiom Space, Inc. Series C Preferred', 'Axiom Space, Inc. Series C-1'],
  'Discord, Inc.': ['Discord, Inc.', 'Discord, Inc. - Series G'],
  'Monzo Bank Holding Group Limited': ['Lemonade 18'],
  'Tenstorrent Holdings Inc.': ['Prive Tens'],
  'Shield AI Inc.': ['Snowpoint Growth 2.5'],
  'OpenEvidence Inc.': ['SP21Z Opportunities'],
  'Brex, Inc.': ['G Squared Special Situations'],
  'Ferox Games B.V.': ['Hexagon Master'],
  'Chaos Industries, Inc.': ['WH Strategic Opportunities'],
  'Relativity Space': ['MW LSV Relativity Space'],
  'Bolt Financial': ['Rhenium Bolt 2021'],
  Superhuman: ['SuperHuman Platform'],
  // This company's other line in the report is listed on an exchange.
  'Klarna Group PLC': ['Klarna Group PLC Class B'],
  'Jeeves, Inc.': ['Jeeves'],
  'Automation Anywhere, Inc.': ['Automation Anywhere'],
  'Payward, Inc.': ['Payward'],
  'Public Holdings, Inc.': ['Public Holdings'],
  'Redwood Materials, Inc.': ['Redwood'],
  'Revolut Group Holdings Ltd.': ['Revolut'],
  'Skild AI, Inc.': ['Skild'],
  'Supabase, Inc.': ['Supabase'],
  'Beast Industries Co.': ['Beast'],
  'Boom Technology, Inc.': ['Boom'],
  'CElegans Labs, Inc.': ['CElegans'],
  'ClassDojo, Inc.': ['ClassDojo'],
  'Flexport, Inc.': ['Flexport'],
  'Hermeus Corporation': ['Hermeus'],
  'Vast, Inc.': ['Vast'],
  'Vercel Inc.': ['Vercel'],
}
