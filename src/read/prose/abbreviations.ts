/** Abbreviations that begin or are part of a person's name. Their full stop ends no sentence. */

/** Source of a pattern of honorifics and ranks, as alternatives without brackets and without the full stop. */
export const HONORIFICS =
  'Mr|Ms|Mrs|Messrs|Mses|Dr|Gov|Gen|Adm|Col|Capt|Cmdr|Cdr|Maj|Brig|Lt|Sgt|Sen|Rep|Hon|Rev|Fr|Msgr|Prof|Amb|Engr'
/** The same for given names: "Wm. Sample", "Robt. Sample". */
export const GIVEN_NAMES_CUT = 'Wm|Geo|Chas|Jos|Thos|Robt|Edw|Jas|Alex|Benj|Saml'
/** The same for the beginnings of surnames and places: "St. Claire", "Ft. Wayne". */
export const SAINTS = 'St|Ste|Sta|Sto|Mt|Ft'
