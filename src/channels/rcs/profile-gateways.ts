/** The kind by which messages name the gateway of their profile, whose number is the key. */
export const PROFILE_GATEWAY = 'rcs-profile'
