import { type Static, Type } from 'typebox'

const buildDaysSchema = (description: string) => Type.Integer({ minimum: 1, maximum: 36_500, description })

/** Settings for parsing contact values, and retention periods of contact data (`/settings/contacts`). */
export const ContactSettings = Type.Object({
  defaultCountry: Type.String({
    description:
      'Country of phone numbers in national form, as an ISO 3166 code: alpha-3, or alpha-2 in requests. ' +
      'Default: `FRA`.',
  }),
  timeZone: Type.String({ description: 'IANA time zone of the account, such as `Europe/Paris`. Default: `UTC`.' }),
  dateOrder: Type.Enum(['dmy', 'mdy'], {
    description:
      'Order of day and month in dates written with slashes. `dmy`: day first. `mdy`: month first. Default: `dmy`.',
  }),
  decimalMark: Type.Enum(['comma', 'point'], {
    description:
      'Decimal mark of numbers such as 1,234 in imported files, if no other number in the column shows ' +
      'it. Default: `point`.',
  }),
  softBounce: Type.Object(
    {
      count: Type.Integer({ minimum: 1, maximum: 1000, description: 'Number of soft bounces. Default: 5.' }),
      days: buildDaysSchema('Days within which the soft bounces are counted. Default: 30.'),
    },
    {
      description:
        'Number of soft bounces within a number of days that turns into a hard bounce, if no message is ' +
        'delivered in between.',
    },
  ),
  forgetRedListOnDelete: Type.Boolean({
    description:
      'True: suppression list entries that the person made are forgotten when the contact is deleted. ' +
      'False: a new contact with the same address is put on the list again. Default: false.',
  }),
  importMaxBytes: Type.Integer({
    minimum: 1,
    maximum: 2 ** 40,
    description: 'Maximum size of one uploaded file, in bytes. Default: 5368709120.',
  }),
  sourceRetentionDays: buildDaysSchema('Days for which uploaded files are retained. Default: 30.'),
  rejectsRetentionDays: buildDaysSchema('Days for which rejected lines of imports are retained. Default: 90.'),
})
export type ContactSettings = Static<typeof ContactSettings>
