import { type Static, Type } from 'typebox'

const buildDaysSchema = (description: string) => Type.Integer({ minimum: 1, maximum: 36_500, description })

/** Settings for parsing contact values, and retention periods of contact data (`/settings/contacts`). */
export const ContactSettings = Type.Object({
  defaultCountry: Type.String({
    description: 'ISO 3166 country of phone values in national form; alpha-2 is read too',
  }),
  timeZone: Type.String({ description: 'IANA zone of the account' }),
  dateOrder: Type.Enum(['dmy', 'mdy'], { description: 'of dates written with slashes' }),
  decimalMark: Type.Enum(['comma', 'point'], {
    description: 'of numbers such as 1,234 in files, if no other number of their column shows it',
  }),
  softBounce: Type.Object(
    {
      count: Type.Integer({ minimum: 1, maximum: 1000, description: 'how many there are' }),
      days: buildDaysSchema('the length of that time, in days'),
    },
    { description: 'so many soft refusals within so many days make a hard one' },
  ),
  forgetRedListOnDelete: Type.Boolean({ description: 'true: an entry a person made goes with the contact' }),
  importMaxBytes: Type.Integer({ minimum: 1, maximum: 2 ** 40, description: 'size of one uploaded file' }),
  sourceRetentionDays: buildDaysSchema('days that uploaded files are kept'),
  rejectsRetentionDays: buildDaysSchema('days that refused lines of imports are kept'),
})
export type ContactSettings = Static<typeof ContactSettings>
