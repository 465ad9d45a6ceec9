/** Pointers of settings that are folded. */
export const FOLDED_SETTING_POINTERS = [
  '/settings/culture',
  '/settings/mp/use',
  '/settings/mp/increment',
  '/settings/field',
  '/settings/consent',
  '/settings/priority',
  '/settings/countries',
  '/settings/sendingProfile',
  '/settings/webAnalyser',
]

/** Pointers of what messages of phones have in common. */
export const PHONE_SETTING_POINTERS = [
  '/name',
  '/informations/category',
  '/settings/purpose/type',
  '/settings/mp/topic',
  ...FOLDED_SETTING_POINTERS,
]
