import { type Static, Type } from 'typebox'
import { MAX_INT32 } from '../../../lib/int32.ts'
import { SMS_SENDER_PATTERN } from '../../../lib/text/sms.ts'
import { buildTaggedUnion, buildTypeTag } from '../../../lib/type-tags.ts'

/** Characters of one template; what it renders to has limits of its own (`leaves.ts`). */
const MAX_TEMPLATE_LENGTH = 1_000_000

const TemplateText = Type.String({ maxLength: MAX_TEMPLATE_LENGTH })
const OptionalTemplate = Type.Optional(TemplateText)

const chipMembers = {
  text: { ...TemplateText, description: 'the text, plain' },
  postback: Type.Optional({ ...OptionalTemplate, description: 'what the answer of the recipient is known by' }),
}
const actionMembers = {
  ...chipMembers,
  fallbackUrl: Type.Optional({
    ...OptionalTemplate,
    description: 'address that is opened where the action cannot be done',
  }),
}
const buildDateTemplate = (description: string) =>
  Type.Union([TemplateText, Type.Integer({ description: 'milliseconds since 1970' })], { description })

const ReplySuggestion = Type.Object({
  type: buildTypeTag('reply'),
  ...chipMembers,
})
const OpenUrlSuggestion = Type.Object({
  type: buildTypeTag('openUrl'),
  ...actionMembers,
  url: { ...TemplateText, description: 'an address that begins with a scheme' },
  tracked: Type.Optional(Type.Boolean({ description: 'true (the default): the address is that of a redirect' })),
  application: Type.Optional(Type.Enum(['BROWSER', 'WEBVIEW'], { description: 'where the address is opened' })),
  webviewViewMode: Type.Optional(Type.Enum(['FULL', 'HALF', 'TALL'], { description: 'how high the web view is' })),
  description: Type.Optional({ ...OptionalTemplate, description: 'words that say what it is for' }),
})
const DialSuggestion = Type.Object({
  type: buildTypeTag('dial'),
  ...actionMembers,
  phoneNumber: { ...TemplateText, description: 'a telephone number in E.164' },
})
const ViewLocationSuggestion = Type.Object({
  type: buildTypeTag('viewLocation'),
  ...actionMembers,
  latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90, description: 'degrees north of the equator' })),
  longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180, description: 'degrees east of Greenwich' })),
  label: Type.Optional({ ...OptionalTemplate, description: 'the name that people see' }),
  query: Type.Optional({ ...OptionalTemplate, description: 'what is looked for' }),
})
const ShareLocationSuggestion = Type.Object({
  type: buildTypeTag('shareLocation'),
  ...actionMembers,
})
const CalendarEventSuggestion = Type.Object({
  type: buildTypeTag('createCalendarEvent'),
  ...actionMembers,
  startTime: buildDateTemplate('when it begins, ISO 8601 or milliseconds since 1970'),
  endTime: buildDateTemplate('when it ends, ISO 8601 or milliseconds since 1970'),
  title: { ...TemplateText, description: 'the words at its top' },
  description: Type.Optional({ ...OptionalTemplate, description: 'words that say what it is for' }),
})
const ComposeSuggestion = Type.Object({
  type: buildTypeTag('compose'),
  ...actionMembers,
  phoneNumber: { ...TemplateText, description: 'a telephone number in E.164' },
  message: Type.Optional({ ...OptionalTemplate, description: 'what is wrong, in words' }),
  recording: Type.Optional(Type.Enum(['AUDIO', 'VIDEO'], { description: 'what is recorded, in place of a text' })),
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
  suggestions: Type.Optional(Type.Array(RcsSuggestion, { maxItems: 11, description: 'what the recipient may tap' })),
}

export const RcsFileContent = Type.Object(
  {
    url: Type.Optional({ ...OptionalTemplate, description: 'an address that begins with a scheme' }),
    thumbnailUrl: Type.Optional({ ...OptionalTemplate, description: 'address of a small picture of it' }),
    forceRefresh: Type.Optional(Type.Boolean({ description: 'whether the file is fetched again where one is kept' })),
    fileName: Type.Optional({ ...OptionalTemplate, description: 'the name of the file' }),
    thumbnailName: Type.Optional({ ...OptionalTemplate, description: 'the name of the small picture of it' }),
    alt: Type.Optional({ ...OptionalTemplate, description: 'what the picture shows, in words' }),
  },
  { description: 'the file' },
)
export type RcsFileContent = Static<typeof RcsFileContent>

export const RcsCard = Type.Object({
  title: Type.Optional({ ...OptionalTemplate, description: 'the words at its top' }),
  description: Type.Optional({ ...OptionalTemplate, description: 'words that say what it is for' }),
  media: Type.Optional(
    Type.Object(
      {
        height: Type.Enum(['SHORT', 'MEDIUM', 'TALL'], { description: 'how high the picture is' }),
        file: RcsFileContent,
      },
      { description: 'the picture or document' },
    ),
  ),
  suggestions: Type.Optional(Type.Array(RcsSuggestion, { maxItems: 4, description: 'what the recipient may tap' })),
})
export type RcsCard = Static<typeof RcsCard>

const TextContent = Type.Object({
  type: buildTypeTag('text'),
  text: { ...TemplateText, description: 'the text, plain' },
  ...messageMembers,
  persistent: Type.Optional(Type.Boolean({ description: 'the suggestions stay in view; default false' })),
})
const FileContent = Type.Object({
  type: buildTypeTag('file'),
  file: RcsFileContent,
  ...messageMembers,
})
const CardContent = Type.Object({
  type: buildTypeTag('card'),
  orientation: Type.Enum(['VERTICAL', 'HORIZONTAL'], {
    description: 'whether picture and text stand one below the other or side by side',
  }),
  alignment: Type.Optional(Type.Enum(['LEFT', 'RIGHT'], { description: 'required with HORIZONTAL' })),
  card: { ...RcsCard, description: 'the card' },
  ...messageMembers,
})
const CarouselContent = Type.Object({
  type: buildTypeTag('carousel'),
  width: Type.Enum(['SMALL', 'MEDIUM'], { description: 'how wide the cards are' }),
  cards: Type.Array(RcsCard, { minItems: 2, maxItems: 10, description: '2 to 10 cards, side by side' }),
  ...messageMembers,
})

const contentSchemas = [TextContent, FileContent, CardContent, CarouselContent]

/** The content of an RCS message, distinguished by `type`. Every string is a template. */
export const RcsMessageContent = buildTaggedUnion(contentSchemas)
export type RcsMessageContent = Static<(typeof contentSchemas)[number]>

export const rcsPeriodUnits = ['MILLISECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const

export const RcsPeriod = Type.Object({
  unit: Type.Enum([...rcsPeriodUnits], { description: 'the unit of the number beside it' }),
  value: Type.Integer({ minimum: 0, maximum: MAX_INT32, description: 'the value itself' }),
})
export type RcsPeriod = Static<typeof RcsPeriod>

/** Maximum time a message may wait for delivery: 10 seconds to 15 days in total. */
export const RcsExpiration = Type.Object(
  {
    type: buildTypeTag('period'),
    value: { ...RcsPeriod, description: 'the value itself' },
  },
  { description: 'how long it may still be delivered' },
)
export type RcsExpiration = Static<typeof RcsExpiration>

/** The SMS that goes out where the rich message does not arrive. */
export const RcsFallback = Type.Object({
  type: buildTypeTag('sms'),
  text: Type.String({ maxLength: MAX_TEMPLATE_LENGTH, description: 'a template' }),
  sender: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      pattern: SMS_SENDER_PATTERN,
      description: 'who it is sent from',
    }),
  ),
  after: Type.Optional(
    Type.Unsafe<RcsPeriod | null>({
      ...RcsPeriod,
      type: ['object', 'null'],
      description: 'how long a delivery is waited for; null: until the message has failed',
    }),
  ),
})
export type RcsFallback = Static<typeof RcsFallback>

/** The content of an RCS action as a version keeps it. */
export interface RcsVersionContent {
  content: RcsMessageContent
  fallback: RcsFallback | null
}
