import { type Static, Type } from 'typebox'
import { MAX_INT32 } from '../../../lib/int32.ts'
import { SMS_SENDER_PATTERN } from '../../../lib/text/sms.ts'
import { buildTaggedUnion, buildTypeTag } from '../../../lib/type-tags.ts'

/** Characters of one template; what it renders to has limits of its own (`leaves.ts`). */
const MAX_TEMPLATE_LENGTH = 1_000_000

const TemplateText = Type.String({ maxLength: MAX_TEMPLATE_LENGTH })
const OptionalTemplate = Type.Optional(TemplateText)

const chipMembers = {
  text: { ...TemplateText, description: 'Text of the suggestion, 1 to 25 characters.' },
  postback: Type.Optional({
    ...OptionalTemplate,
    description: 'Text returned with the reaction of the recipient, to identify it; at most 1,900 characters.',
  }),
}
const actionMembers = {
  ...chipMembers,
  fallbackUrl: Type.Optional({
    ...OptionalTemplate,
    description: 'URL opened on devices that cannot perform the action.',
  }),
}
const buildDateTemplate = (description: string) =>
  Type.Union([TemplateText, Type.Integer({ description: 'Milliseconds since 1970.' })], { description })

const ReplySuggestion = Type.Object({
  type: buildTypeTag('reply'),
  ...chipMembers,
})
const OpenUrlSuggestion = Type.Object({
  type: buildTypeTag('openUrl'),
  ...actionMembers,
  url: { ...TemplateText, description: 'URL to open (http or https).' },
  tracked: Type.Optional(Type.Boolean({ description: 'Replace the URL by a tracking link. Default: true.' })),
  application: Type.Optional(
    Type.Enum(['BROWSER', 'WEBVIEW'], {
      description: '`BROWSER`: opens in the browser. `WEBVIEW`: opens in a web view within the conversation.',
    }),
  ),
  webviewViewMode: Type.Optional(
    Type.Enum(['FULL', 'HALF', 'TALL'], {
      description:
        'Height of the web view, for `WEBVIEW` only. `FULL`: the whole screen. `HALF`: half of it. `TALL`: three quarters.',
    }),
  ),
  description: Type.Optional({ ...OptionalTemplate, description: 'Description of the link, for accessibility.' }),
})
const DialSuggestion = Type.Object({
  type: buildTypeTag('dial'),
  ...actionMembers,
  phoneNumber: { ...TemplateText, description: 'Phone number in E.164.' },
})
const ViewLocationSuggestion = Type.Object({
  type: buildTypeTag('viewLocation'),
  ...actionMembers,
  latitude: Type.Optional(
    Type.Number({
      minimum: -90,
      maximum: 90,
      description: 'Latitude in degrees, north positive. Given with `longitude`, or `query` instead.',
    }),
  ),
  longitude: Type.Optional(
    Type.Number({
      minimum: -180,
      maximum: 180,
      description: 'Longitude in degrees, east positive. Given with `latitude`, or `query` instead.',
    }),
  ),
  label: Type.Optional({ ...OptionalTemplate, description: 'Label of the location.' }),
  query: Type.Optional({ ...OptionalTemplate, description: 'Search query for the location, instead of coordinates.' }),
})
const ShareLocationSuggestion = Type.Object({
  type: buildTypeTag('shareLocation'),
  ...actionMembers,
})
const CalendarEventSuggestion = Type.Object({
  type: buildTypeTag('createCalendarEvent'),
  ...actionMembers,
  startTime: buildDateTemplate('Start of the calendar entry, as ISO 8601 or milliseconds since 1970.'),
  endTime: buildDateTemplate('End of the calendar entry, as ISO 8601 or milliseconds since 1970.'),
  title: { ...TemplateText, description: 'Title of the calendar entry, 1 to 100 characters.' },
  description: Type.Optional({
    ...OptionalTemplate,
    description: 'Description of the calendar entry, at most 500 characters.',
  }),
})
const ComposeSuggestion = Type.Object({
  type: buildTypeTag('compose'),
  ...actionMembers,
  phoneNumber: { ...TemplateText, description: 'Phone number in E.164.' },
  message: Type.Optional({
    ...OptionalTemplate,
    description: 'Text of the message to compose. Either this or `recording`.',
  }),
  recording: Type.Optional(
    Type.Enum(['AUDIO', 'VIDEO'], {
      description: 'Recording to make instead of a text. `AUDIO`: audio. `VIDEO`: video.',
    }),
  ),
})

const suggestionSchemas = [
  ReplySuggestion,
  OpenUrlSuggestion,
  DialSuggestion,
  ViewLocationSuggestion,
  ShareLocationSuggestion,
  CalendarEventSuggestion,
  ComposeSuggestion,
]

/** A suggestion that can be tapped below a message or on a card. */
export const RcsSuggestion = buildTaggedUnion(suggestionSchemas)
export type RcsSuggestion = Static<(typeof suggestionSchemas)[number]>

const messageMembers = {
  suggestions: Type.Optional(
    Type.Array(RcsSuggestion, { maxItems: 11, description: 'Suggestions the recipient can tap, at most 11.' }),
  ),
}

export const RcsFileContent = Type.Object(
  {
    url: Type.Optional({ ...OptionalTemplate, description: 'URL of the file (https). Either this or `fileName`.' }),
    thumbnailUrl: Type.Optional({ ...OptionalTemplate, description: 'URL of a thumbnail (https).' }),
    forceRefresh: Type.Optional(
      Type.Boolean({ description: 'Fetch the file again even if a copy is cached. Default: false.' }),
    ),
    fileName: Type.Optional({
      ...OptionalTemplate,
      description: 'Name of a file already uploaded to RCS Business Messaging, instead of `url`.',
    }),
    thumbnailName: Type.Optional({ ...OptionalTemplate, description: 'Name of an uploaded thumbnail.' }),
    alt: Type.Optional({ ...OptionalTemplate, description: 'Alternative text, at most 500 characters.' }),
  },
  { description: 'File: an image, video or document.' },
)
export type RcsFileContent = Static<typeof RcsFileContent>

export const RcsCard = Type.Object({
  title: Type.Optional({ ...OptionalTemplate, description: 'Title of the card, at most 200 characters.' }),
  description: Type.Optional({ ...OptionalTemplate, description: 'Text of the card, at most 2,000 characters.' }),
  media: Type.Optional(
    Type.Object(
      {
        height: Type.Enum(['SHORT', 'MEDIUM', 'TALL'], {
          description: 'Height of the media. `TALL` is refused in a carousel of width `SMALL`.',
        }),
        file: RcsFileContent,
      },
      { description: 'Media of the card.' },
    ),
  ),
  suggestions: Type.Optional(
    Type.Array(RcsSuggestion, { maxItems: 4, description: 'Suggestions the recipient can tap, at most 4.' }),
  ),
})
export type RcsCard = Static<typeof RcsCard>

const TextContent = Type.Object({
  type: buildTypeTag('text'),
  text: { ...TemplateText, description: 'Text of the message, 1 to 3,072 characters.' },
  ...messageMembers,
  persistent: Type.Optional(Type.Boolean({ description: 'Keep the suggestions in view. Default: false.' })),
})
const FileContent = Type.Object({
  type: buildTypeTag('file'),
  file: RcsFileContent,
  ...messageMembers,
})
const CardContent = Type.Object({
  type: buildTypeTag('card'),
  orientation: Type.Enum(['VERTICAL', 'HORIZONTAL'], {
    description: '`VERTICAL`: media above the text. `HORIZONTAL`: media beside the text.',
  }),
  alignment: Type.Optional(
    Type.Enum(['LEFT', 'RIGHT'], { description: 'Side of the media. Required with `HORIZONTAL`.' }),
  ),
  card: { ...RcsCard, description: 'Card of the message.' },
  ...messageMembers,
})
const CarouselContent = Type.Object({
  type: buildTypeTag('carousel'),
  width: Type.Enum(['SMALL', 'MEDIUM'], { description: 'Width of the cards.' }),
  cards: Type.Array(RcsCard, { minItems: 2, maxItems: 10, description: 'Cards of the carousel, 2 to 10.' }),
  ...messageMembers,
})

const contentSchemas = [TextContent, FileContent, CardContent, CarouselContent]

/** The content of an RCS message, distinguished by `type`. Every string is a template. */
export const RcsMessageContent = buildTaggedUnion(contentSchemas)
export type RcsMessageContent = Static<(typeof contentSchemas)[number]>

export const rcsPeriodUnits = ['MILLISECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const

export const RcsPeriod = Type.Object({
  unit: Type.Enum([...rcsPeriodUnits], { description: 'Unit of `value`. A `MONTH` has 30 days, a `YEAR` 365.' }),
  value: Type.Integer({ minimum: 0, maximum: MAX_INT32, description: 'Number of units.' }),
})
export type RcsPeriod = Static<typeof RcsPeriod>

/** Maximum time a message may wait for delivery: 10 seconds to 15 days in total. */
export const RcsExpiration = Type.Object(
  {
    type: buildTypeTag('period'),
    value: { ...RcsPeriod, description: 'Length of the period.' },
  },
  { description: 'Time within which the message can be delivered, from 10 seconds to 15 days. Null: 48 hours.' },
)
export type RcsExpiration = Static<typeof RcsExpiration>

/** The SMS that goes out where the rich message does not arrive. */
export const RcsFallback = Type.Object({
  type: buildTypeTag('sms'),
  text: Type.String({ maxLength: MAX_TEMPLATE_LENGTH, description: 'Text of the SMS, as a template.' }),
  sender: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      pattern: SMS_SENDER_PATTERN,
      description: 'Sender of the SMS. Null or absent: that of the RCS profile.',
    }),
  ),
  after: Type.Optional(
    Type.Unsafe<RcsPeriod | null>({
      ...RcsPeriod,
      type: ['object', 'null'],
      description:
        'Time to wait for a delivery before the SMS is sent, from 1 minute to the expiration. Null or absent: only after the RCS message has failed.',
    }),
  ),
})
export type RcsFallback = Static<typeof RcsFallback>

/** The content of an RCS action as a version keeps it. */
export interface RcsVersionContent {
  content: RcsMessageContent
  fallback: RcsFallback | null
}
