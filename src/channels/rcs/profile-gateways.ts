/** The kind by which messages name the gateway of their profile, whose number is the key. */
export const RCS_PROFILE_GATEWAY_KIND = 'rcs-profile'
