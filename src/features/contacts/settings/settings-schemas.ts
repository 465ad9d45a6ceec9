import { type Static, Type } from 'typebox'
import { ContactSettings } from '../fields/contact-settings-schemas.ts'

/** Some of the settings: what is absent stays. */
export const ContactSettingsBody = Type.Partial(
  Type.Object({
    ...ContactSettings.properties,
    softBounce: Type.Partial(ContactSettings.properties.softBounce, {
      description: 'Soft bounces that turn into a hard bounce.',
    }),
  }),
)
export type ContactSettingsBody = Static<typeof ContactSettingsBody>
